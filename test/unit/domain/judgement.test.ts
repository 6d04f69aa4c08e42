import { describe, expect, test } from 'vitest';
import { createJudgement, type InputOf, isSmall, outcomeOf, refusalOf } from '../../../src/domain/judgement.js';
import { textOf } from '../../../src/wire/json.js';
import type { JsonText } from '../../../src/wire/scalar.js';

const judge = createJudgement();
const schema = textOf({ type: 'object' });
const nameless: InputOf<'parts'> = { methods: [], events: [{ name: '', params: [] }], errors: [] };

describe('judgement', () => {
  test('says why a text is no schema, and what is wrong with a value', () => {
    expect(judge('schema', schema)).toEqual({});
    expect(judge('schema', '7' as JsonText)).toHaveProperty('problem');
    expect(judge('value', { schema, value: textOf({}) })).toEqual([]);
    expect(judge('value', { schema, value: textOf(7) })).toHaveLength(1);
  });

  test('crosses as plain data whatever comes of it', () => {
    expect(outcomeOf(judge, 'schema', schema)).toEqual({ answer: {} });
    const outcome = structuredClone(outcomeOf(judge, 'parts', nameless));
    expect('refusal' in outcome && refusalOf(outcome).code).toBe('FF10320');
    expect(outcomeOf(judge, 'parts', undefined as never)).toHaveProperty('defect');
  });

  const costly: readonly [string, object, unknown][] = [
    ['a reference', { $ref: '#' }, 1],
    ['something behind an escape', { title: '"' }, 1],
    ['a pattern', { pattern: 'a{900}' }, 'a'],
    ['a comparison of all items', { uniqueItems: true }, []],
    ['a large value', { properties: { a: {}, b: {}, c: {} } }, 'x'.repeat(20_000)],
    ['a large schema', { description: 'x'.repeat(20_000) }, 1],
  ];
  test.each(costly)('is not small with %s', (_, given, value) => {
    expect(isSmall('value', { schema: textOf(given), value: textOf(value) })).toBe(false);
  });

  test('is small for what users send every day', () => {
    const order = textOf({ $schema: 'https://json-schema.org/draft/2020-12/schema', properties: { id: {} } });
    expect(isSmall('value', { schema: order, value: textOf({ id: 'A-1' }) })).toBe(true);
    expect(isSmall('batch', { text: 'x'.repeat(2_000), facts: {} as never })).toBe(true);
    expect(isSmall('batch', { text: 'x'.repeat(2_000_000), facts: {} as never })).toBe(false);
    const params = Array.from({ length: 2_000 }, () => ({ name: 'a', schema }));
    expect(isSmall('parts', { methods: [], events: [{ name: 'E', params }], errors: [] })).toBe(false);
    expect(isSmall('parts', nameless)).toBe(true);
  });
});
