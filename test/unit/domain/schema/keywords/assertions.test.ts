import { expect, test } from 'vitest';
import { createDatatypes } from '../../../../../src/domain/datatype.js';
import { currentRules } from '../../../../../src/domain/network/network-rules.js';
import { textOf } from '../../../../../src/wire/json/json.js';
import { compact } from '../../../../../src/wire/json/json-reader.js';

const datatypes = createDatatypes();
const rules = currentRules.validation;

test.each<[string, unknown, readonly unknown[], readonly unknown[]]>([
  ['type', { type: ['integer', 'null'] }, [1, 1.0, null, 1e300], [1.5, '1', true]],
  ['enum', { enum: [1, { a: [1, 2], b: null }] }, [1, { b: null, a: [1, 2] }], [2, { a: [2, 1], b: null }]],
  ['const', { const: '1' }, ['1'], [1, null]],
  ['multipleOf', { multipleOf: 0.01 }, [19.99, 0, -3, 1e22], [19.995, 1e-9]],
  ['bounds', { minimum: 1, exclusiveMaximum: 3 }, [1, 2.9, 'x'], [0.9, 3]],
  ['lengths in characters', { minLength: 2, maxLength: 2 }, ['ab', '😀😀'], ['😀', 'abc']],
  ['pattern, unanchored', { pattern: 'b+' }, ['abbc', 5], ['ac']],
  ['pattern with an escape', { pattern: '^\\u0041\\/$' }, ['A/'], ['B/']],
  [
    'uniqueItems by value',
    { uniqueItems: true },
    [[1, '1', true]],
    [
      [1, 1.0],
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
    ],
  ],
  ['required of own members', { required: ['toString'] }, [{ toString: 1 }], [{}]],
  ['a member called __proto__', { required: ['__proto__'] }, [compact('{"__proto__":1}')], []],
  ['dependentRequired', { dependentRequired: { a: ['b'] } }, [{ a: 1, b: 1 }, { b: 1 }], [{ a: 1 }]],
])('a value alone is judged by %s', (_, schema, right, wrong) => {
  const conforms = (value: unknown) => {
    const text = typeof value === 'string' && value.startsWith('{') ? compact(value) : textOf(value);
    return datatypes.compile(textOf(schema), rules).validate(text, rules).violations.length === 0;
  };
  expect(right.map(conforms)).toEqual(right.map(() => true));
  expect(wrong.map(conforms)).toEqual(wrong.map(() => false));
});

test.each([
  ['{"const":9007199254740993}', '9007199254740992', true],
  ['{"maximum":9007199254740992}', '9007199254740993', true],
  ['{"uniqueItems":true}', '[0.1,0.1000000000000000000001]', false],
  ['{"type":"number"}', '1e400', true],
  ['{"type":"integer"}', '1e400', false],
])('numbers are floating-point numbers, in the schema %s and the value %s', (schema, value, conforms) => {
  const { violations } = datatypes.compile(compact(schema), rules).validate(compact(value), rules);
  expect(violations.length === 0).toBe(conforms);
});
