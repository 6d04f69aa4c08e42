import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createDatatypes } from '../../../../src/domain/datatype.js';
import { currentRules, firstRules } from '../../../../src/domain/network/network-rules.js';
import { textOf } from '../../../../src/wire/json/json.js';

const datatypes = createDatatypes();
const rules = currentRules.validation;

function judge(schema: unknown, value: unknown, limits = rules) {
  return datatypes.compile(textOf(schema), limits).validate(textOf(value), limits);
}

const times = (length: number, schema: unknown) => ({ allOf: new Array(length).fill(schema) });
const members = (length: number) => Object.fromEntries(Array.from({ length }, (_, i) => [`n${i}`, 1]));
const list = (length: number, item: unknown = 1) => new Array(length).fill(item);
const text = 'x'.repeat(1_000);

/** Worst cases, each with at least as many steps as it takes microseconds on a slow machine. */
const worst: readonly [keyword: string, schema: unknown, value: unknown, steps: number][] = [
  ['properties', times(10, { properties: { a: true } }), members(1_000), 3_000],
  ['patternProperties', times(10, { patternProperties: { '^q': true } }), members(1_000), 20_000],
  ['additionalProperties', times(10, { additionalProperties: {} }), members(1_000), 5_000],
  ['propertyNames', times(10, { propertyNames: true }), members(1_000), 5_000],
  ['minProperties', times(10, { minProperties: 0 }), members(1_000), 1_000],
  ['required', times(10, { required: Object.keys(members(500)) }), members(500), 500],
  ['dependentRequired', { dependentRequired: Object.fromEntries(list(1_000).map((_, i) => [`q${i}`, []])) }, {}, 100],
  ['enum of deep values', times(10, { enum: [1] }), list(100, [[[1]]]), 4_000],
  ['uniqueItems', times(10, { uniqueItems: true }), Array.from({ length: 1_000 }, (_, i) => i), 20_000],
  ['multipleOf', { items: times(10, { multipleOf: 5e-324 }) }, list(100, 1.5e300), 8_000],
  ['maxLength', times(10, { maxLength: 1_000 }), text, 100],
  ['pattern', times(10, { pattern: '(x+x+)+y' }), text, 500],
  ['items', times(10, { items: true }), list(1_000), 3_000],
  ['contains', times(10, { contains: true }), list(1_000), 3_000],
  ['unevaluatedProperties', times(10, { unevaluatedProperties: true }), members(1_000), 8_000],
  ['unevaluatedItems', times(10, { unevaluatedItems: true }), list(1_000), 5_000],
  ['anyOf', { items: { anyOf: [...list(10, false), true] } }, list(1_000), 2_000],
  [
    'a chain of references',
    { items: { $ref: '#/$defs/a' }, $defs: { a: { $ref: '#/$defs/b' }, b: {} } },
    list(1_000),
    700,
  ],
  ['parsing', {}, list(1_000, []), 200],
];

test.each(worst)('the worst of %s is counted', (_, schema, value, steps) => {
  expect(judge(schema, value).steps).toBeGreaterThanOrEqual(steps);
});

test('a schema of many names and a value of as many members end at the budget', () => {
  const schema = times(990, { properties: { a: true } });
  expect(judge(schema, members(40_000))).toMatchObject({ isCut: true, steps: rules.maxSteps });
});

const leaf = fc.constantFrom(
  true,
  false,
  { type: 'number' },
  { minimum: 2 },
  { multipleOf: 0.01 },
  { multipleOf: 3 },
  { enum: [1, 'a', { a: 1 }] },
  { required: ['a'] },
  { uniqueItems: true },
  { pattern: '^a' },
  { maxLength: 1 },
  { unevaluatedItems: false },
  { unevaluatedProperties: { type: 'number' } },
);
const { schema: anySchema } = fc.letrec<{ schema: unknown }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc.record({ allOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }), unevaluatedProperties: tie('schema') }),
    fc.record({ oneOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ if: tie('schema'), then: tie('schema'), else: tie('schema') }),
    fc.record({ properties: fc.record({ a: tie('schema') }), additionalProperties: tie('schema') }),
    fc.record({ prefixItems: fc.tuple(tie('schema')), items: tie('schema'), contains: tie('schema') }),
    fc.record({ not: tie('schema'), propertyNames: tie('schema') }),
  ),
}));
const anyValue = fc.jsonValue({ maxDepth: 3 });

test('both versions agree if neither budget is spent', () => {
  fc.assert(
    fc.property(anySchema, anyValue, (schema, value) => {
      const whole = { allOf: [schema] };
      expect(judge(whole, value).violations).toEqual(judge(whole, value, firstRules.validation).violations);
    }),
  );
});
