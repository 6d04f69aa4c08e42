import { describe, expect, test } from 'vitest';
import { createJudgement, type InputOf, isSmall, outcomeOf, refusalOf } from '../../../src/domain/judgement.js';
import { currentRules } from '../../../src/domain/network/network-rules.js';
import { typedBatchOf } from '../../../src/domain/messages/typed-batch.js';
import { textOf } from '../../../src/wire/json/json.js';
import type { JsonText } from '../../../src/wire/scalar.js';

const judge = createJudgement();
const schema = textOf({ type: 'object' });
const { validation: rules } = currentRules;
const nameless: InputOf<'parts'> = { methods: [], events: [{ name: '', params: [] }], errors: [] };

describe('judgement', () => {
  test('gives the reason why a text is not a schema, and why a value is invalid', () => {
    expect(judge('schema', { schema, rules })).toEqual({});
    expect(judge('schema', { schema: '7' as JsonText, rules })).toHaveProperty('problem');
    expect(judge('value', { schema, rules, value: textOf({}) })).toEqual([]);
    expect(judge('value', { schema, rules, value: textOf(7) })).toHaveLength(1);
  });

  test('is transferred as plain data with any result', () => {
    expect(outcomeOf(judge, 'schema', { schema, rules })).toEqual({ answer: {} });
    const outcome = structuredClone(outcomeOf(judge, 'parts', nameless));
    expect('refusal' in outcome && refusalOf(outcome).code).toBe('FF10320');
    expect(outcomeOf(judge, 'parts', undefined as never)).toHaveProperty('defect');
  });

  test('pauses during a long validation, with the same result', () => {
    let times = 0;
    const patient = createJudgement(() => (times += 1));
    const question = { schema: textOf({ items: { type: 'string' } }), rules, value: textOf(Array(20_000).fill(1)) };
    expect(patient('value', question)).toEqual(judge('value', question));
    expect(times).toBeGreaterThan(2);
    times = 0;
    patient('value', { ...question, value: textOf(['one']) });
    expect(times).toBe(0);
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
    expect(isSmall('value', { schema: textOf(given), rules, value: textOf(value) })).toBe(false);
    const item = { index: 0, datatype: 'a@1', schema: textOf(given), value: textOf(value) };
    expect(isSmall('typed', { batch: typedBatchOf([item]), rules })).toBe(false);
  });

  test('is small for usual messages', () => {
    const order = textOf({ $schema: 'https://json-schema.org/draft/2020-12/schema', properties: { id: {} } });
    expect(isSmall('value', { schema: order, rules, value: textOf({ id: 'A-1' }) })).toBe(true);
    const item = { index: 0, datatype: 'order@1', schema: order, value: textOf({ id: 'A-1' }) };
    expect(isSmall('typed', { batch: typedBatchOf([item, item]), rules })).toBe(true);
    expect(isSmall('payload', 'x'.repeat(2_000))).toBe(true);
    expect(isSmall('payload', 'x'.repeat(2_000_000))).toBe(false);
    const params = Array.from({ length: 2_000 }, () => ({ name: 'a', schema }));
    expect(isSmall('parts', { methods: [], events: [{ name: 'E', params }], errors: [] })).toBe(false);
    expect(isSmall('parts', nameless)).toBe(true);
  });
});
