import { describe, expect, it, test } from 'vitest';
import { createDatatypes } from '../../../src/domain/datatype.js';
import { currentRules } from '../../../src/domain/network/network-rules.js';
import { networkLimits } from '../../../src/domain/network/limits.js';
import { textOf } from '../../../src/wire/json/json.js';
import { compact } from '../../../src/wire/json/json-reader.js';
import { codeOf } from '../../support/codes.js';

const datatypes = createDatatypes();
const rules = currentRules.validation;
const draft07 = 'http://json-schema.org/draft-07/schema#';
const draft2019 = 'https://json-schema.org/draft/2019-09/schema';

function violations(schema: unknown, value: unknown) {
  return datatypes.compile(textOf(schema), rules).validate(textOf(value), rules).violations;
}

function refusal(schema: unknown): string | undefined {
  return codeOf(() => datatypes.compile(textOf(schema), rules));
}

/** A schema with a text of this many bytes. */
function titled(bytes: number) {
  return { title: 'x'.repeat(bytes - '{"title":""}'.length) };
}

/** Returns `$defs` in which each refers to the one before it in several places, and the first is a schema. */
function chain(length: number, link: (reference: unknown) => unknown, first: unknown = { type: 'string' }) {
  const links = Array.from({ length: length - 1 }, (_, i) => [`d${i + 1}`, link({ $ref: `#/$defs/d${i}` })] as const);
  return { $ref: `#/$defs/d${length - 1}`, $defs: { d0: first, ...Object.fromEntries(links) } };
}

describe('a value conforms or does not', () => {
  const person = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } };
  test.each<[string, unknown, readonly unknown[], readonly unknown[]]>([
    ['properties', person, [{ name: 'x', more: 1 }, { name: '' }], [{}, { name: 1 }, 'x']],
    [
      'additionalProperties',
      { properties: { a: true }, patternProperties: { '^x': { type: 'number' } }, additionalProperties: false },
      [{ a: 1, x1: 2 }],
      [{ b: 1 }, { x1: 'no' }],
    ],
    ['propertyNames', { propertyNames: { maxLength: 2 } }, [{ ab: 1 }], [{ abc: 1 }]],
    ['dependentSchemas', { dependentSchemas: { a: { minProperties: 2 } } }, [{ a: 1, b: 1 }], [{ a: 1 }]],
    ['prefixItems', { prefixItems: [{ type: 'string' }], items: false }, [['a'], []], [['a', 1], [1]]],
    [
      'contains',
      { contains: { const: 1 }, minContains: 2, maxContains: 3 },
      [
        [1, 1],
        [1, 2, 1, 1],
      ],
      [[1], [1, 1, 1, 1]],
    ],
    ['oneOf', { oneOf: [{ type: 'integer' }, { minimum: 5 }] }, [1, 5.5], [5, 1.5]],
    ['anyOf', { anyOf: [{ type: 'string' }, { minimum: 5 }] }, ['a', 5], [1]],
    ['not', { not: { type: 'string' } }, [1], ['a']],
    ['if', { if: { type: 'string' }, then: { minLength: 1 }, else: { minimum: 1 } }, ['a', 1], ['', 0]],
    [
      'unevaluatedProperties',
      { allOf: [person], anyOf: [{ properties: { a: true }, required: ['a'] }, true], unevaluatedProperties: false },
      [{ name: 'x' }, { name: 'x', a: 1 }],
      [{ name: 'x', b: 1 }],
    ],
    [
      'unevaluatedItems',
      { prefixItems: [true], contains: { const: 7 }, unevaluatedItems: false },
      [
        [0, 7],
        [7, 7],
      ],
      [[0, 7, 1]],
    ],
    ['draft-07 items', { $schema: draft07, items: [{ type: 'string' }], additionalItems: false }, [['a']], [['a', 1]]],
    [
      'draft-07 dependencies',
      { $schema: draft07, dependencies: { a: ['b'], c: { maxProperties: 1 } } },
      [{ a: 1, b: 1 }, { c: 1 }],
      [{ a: 1 }, { c: 1, d: 1 }],
    ],
    ['draft-06', { $schema: 'http://json-schema.org/draft-06/schema', exclusiveMinimum: 1 }, [2], [1]],
    ['2019-09 items', { $schema: draft2019, items: [true], additionalItems: { type: 'string' } }, [[1, 'a']], [[1, 1]]],
    [
      '2019-09 contains leaves items unevaluated',
      { $schema: draft2019, contains: true, unevaluatedItems: false },
      [],
      [[1]],
    ],
  ])('by %s', (_, schema, right, wrong) => {
    const conforms = (value: unknown) => {
      const text = typeof value === 'string' && value.startsWith('{') ? compact(value) : textOf(value);
      return datatypes.compile(textOf(schema), rules).validate(text, rules).violations.length === 0;
    };
    expect(right.map(conforms)).toEqual(right.map(() => true));
    expect(wrong.map(conforms)).toEqual(wrong.map(() => false));
  });

  it('and each violation has its path', () => {
    const schema = { properties: { 'a/b': { items: { required: ['x'] } }, n: { type: 'number' } } };
    expect(violations(schema, { 'a/b': [{ x: 1 }, {}], n: 'one' })).toEqual([
      { path: '/a~1b/1', message: 'must have the member "x"' },
      { path: '/n', message: 'must be number' },
    ]);
  });
});

describe('a schema is refused', () => {
  test.each<[string, unknown]>([
    ['when it is not an object', true],
    ['when a keyword is malformed', { type: 'text' }],
    ['of draft-04', { $schema: 'http://json-schema.org/draft-04/schema#' }],
    ['of an unknown dialect', { $schema: 'https://example.org/my-schema' }],
    ['when it is too long', titled(networkLimits.maxSchemaBytes + 1)],
    ['when it has too many subschemas', { allOf: new Array(networkLimits.maxSubschemas).fill(true) }],
    ['with 508 kB of nested anyOf', { anyOf: new Array(20_000).fill({ anyOf: [{ type: 'string' }] }) }],
  ])('%s', (_, schema) => {
    expect(refusal(schema)).toBe('FF10196');
  });

  it('but not for unknown keywords, its greatest length, or references among the maximum number of subschemas', () => {
    expect(refusal({ 'x-colour': 'red', nullable: true, $async: true })).toBeUndefined();
    expect(refusal(titled(networkLimits.maxSchemaBytes))).toBeUndefined();
    expect(refusal({ anyOf: new Array(networkLimits.maxSubschemas - 1).fill({ $ref: '#' }) })).toBeUndefined();
  });
});

describe('the same verdict on every node, whatever its cost', () => {
  const twice = (reference: unknown) => ({ allOf: [reference, reference] });
  const names = Array.from({ length: 7_000 }, (_, i) => `n${i}`);
  const text = `${'a'.repeat(800_000)}b`;
  test.each<[string, unknown, unknown]>([
    ['references that double', chain(30, twice), 'a'],
    ['alternatives that double', chain(30, (reference) => ({ anyOf: [reference, reference] })), 1],
    ['a reference to itself', { $ref: '#' }, 1],
    [
      'references in a circle',
      { $ref: '#/$defs/a', $defs: { a: { anyOf: [{ $ref: '#/$defs/b' }] }, b: { $ref: '#/$defs/a' } } },
      1,
    ],
    ['a very long chain of references', chain(900, (reference) => ({ allOf: [reference] })), 'a'],
    ['many patterns on a long text', { allOf: new Array(1_500).fill({ pattern: '^(a+)+$|b$' }) }, text],
    [
      'many patterns on many members',
      { patternProperties: Object.fromEntries(names.slice(0, 500).map((name) => [name, true])) },
      Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`x${i}`, 1])),
    ],
    [
      'lists of names that double',
      chain(20, twice, { required: names }),
      Object.fromEntries(names.map((name) => [name, 1])),
    ],
    [
      'many alternatives for many items',
      { items: { anyOf: [...new Array(1_900).fill({ type: 'string' }), true] } },
      new Array(400_000).fill(0),
    ],
  ])('%s', (_, schema, value) => {
    expect(violations(schema, value)).toHaveLength(1);
    expect(violations(schema, value)).toEqual(violations(schema, value));
  });

  it('is reached on a nearly full stack as on an empty one', () => {
    const schema = chain(900, (reference) => ({ allOf: [reference] }));
    const below = (frames: number): unknown => (frames > 0 ? below(frames - 1) : violations(schema, 'a'));
    expect(below(2_000)).toEqual(violations(schema, 'a'));
  });

  it.each([
    ['a catastrophic pattern', { pattern: '^(a+)+$' }, 'a'.repeat(5_000), 0],
    ['a long list of different items', { uniqueItems: true }, Array.from({ length: 8_000 }, (_, i) => i), 0],
    ['a chain of references of usual length', chain(100, (reference) => ({ allOf: [reference] })), 'a', 0],
  ])('and what is usual is judged to the end: %s', (_, schema, value, expected) => {
    expect(violations(schema, value)).toHaveLength(expected);
  });
});

test('compiled schemas are cached for a time, and compiled again afterwards', () => {
  const compile = (i: number) => datatypes.compile(textOf({ title: `t${i}` }), rules);
  const first = compile(0);
  expect(compile(0)).toBe(first);
  for (let i = 1; i <= 200; i++) compile(i);
  expect(compile(0)).not.toBe(first);
});

describe('a large value that has conformed before', () => {
  const schema = textOf({ items: { type: 'string' } });
  const value = textOf(Array.from({ length: 1_000 }, (_, i) => `item ${i}`));
  const validate = (maxSteps: number, compiled = createDatatypes().compile(schema, rules)) =>
    compiled.validate(value, { ...rules, maxSteps });
  const needed = validate(rules.maxSteps).steps;

  test.each([needed - 1, needed, needed + 1, rules.maxSteps])('conforms or not within %i steps, as at first', (max) => {
    const compiled = createDatatypes().compile(schema, rules);
    validate(rules.maxSteps, compiled);
    expect(validate(max, compiled)).toEqual(validate(max));
    expect(validate(max, compiled)).toEqual(validate(max));
  });

  it('conforms if it was cut before', () => {
    const compiled = createDatatypes().compile(schema, rules);
    expect(validate(needed - 1, compiled)).toMatchObject({ isCut: true });
    expect(validate(needed, compiled)).toMatchObject({ isCut: false, violations: [] });
  });
});
