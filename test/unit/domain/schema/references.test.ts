import { expect, test } from 'vitest';
import { createDatatypes } from '../../../../src/domain/datatype.js';
import { currentRules } from '../../../../src/domain/network/network-rules.js';
import { textOf } from '../../../../src/wire/json/json.js';
import { compact } from '../../../../src/wire/json/json-reader.js';

const datatypes = createDatatypes();
const rules = currentRules.validation;
const draft07 = 'http://json-schema.org/draft-07/schema#';
const draft2019 = 'https://json-schema.org/draft/2019-09/schema';
const person = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } };
const node = {
  $id: 'https://x/tree',
  $dynamicAnchor: 'node',
  properties: { kids: { items: { $dynamicRef: '#node' } } },
};

test.each<[string, unknown, readonly unknown[], readonly unknown[]]>([
  ['pattern, unanchored', { pattern: 'b+' }, ['abbc', 5], ['ac']],
  [
    '$ref beside others',
    { $defs: { p: person }, $ref: '#/$defs/p', maxProperties: 1 },
    [{ name: 'x' }],
    [{ name: 'x', a: 1 }, {}],
  ],
  ['$ref to an anchor', { $defs: { p: { $anchor: 'p', type: 'string' } }, items: { $ref: '#p' } }, [['a']], [[1]]],
  [
    '$ref to an id within',
    { $id: 'https://x/a', $defs: { p: { $id: 'b', type: 'string' } }, items: { $ref: 'b' } },
    [['a']],
    [[1]],
  ],
  ['$ref into an unknown keyword', { components: { a: { type: 'string' } }, $ref: '#/components/a' }, ['a'], [1]],
  ['$ref with escapes', { $defs: { 'a/b~c d': { type: 'string' } }, $ref: '#/$defs/a~1b~0c%20d' }, ['a'], [1]],
  [
    'a recursive $ref',
    { properties: { next: { $ref: '#' } }, required: ['v'] },
    [{ v: 1, next: { v: 2 } }],
    [{ v: 1, next: {} }],
  ],
  [
    '$dynamicRef',
    { $id: 'https://x/strict', $dynamicAnchor: 'node', $ref: 'tree', unevaluatedProperties: false, $defs: { node } },
    [{ kids: [{ kids: [] }] }],
    [{ kids: [{ kid: 1 }] }],
  ],
  [
    'draft-07 $ref alone',
    { $schema: draft07, definitions: { s: { type: 'string' } }, items: { $ref: '#/definitions/s', maxLength: 1 } },
    [['long']],
    [[1]],
  ],
  ['draft-07 anchor', { $schema: draft07, definitions: { s: { $id: '#s', type: 'string' } }, $ref: '#s' }, ['a'], [1]],
  [
    '2019-09 $recursiveRef',
    { $schema: draft2019, properties: { next: { $recursiveRef: '#' } }, additionalProperties: false },
    [{ next: { next: {} } }],
    [{ next: { other: 1 } }],
  ],
])('a value is judged through %s', (_, schema, right, wrong) => {
  const conforms = (value: unknown) => {
    const text = typeof value === 'string' && value.startsWith('{') ? compact(value) : textOf(value);
    return datatypes.compile(textOf(schema), rules).validate(text, rules).violations.length === 0;
  };
  expect(right.map(conforms)).toEqual(right.map(() => true));
  expect(wrong.map(conforms)).toEqual(wrong.map(() => false));
});
