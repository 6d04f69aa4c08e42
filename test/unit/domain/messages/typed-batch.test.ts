import { describe, expect, it } from 'vitest';
import { createDatatypes } from '../../../../src/domain/datatype.js';
import { currentRules, firstRules } from '../../../../src/domain/network/network-rules.js';
import {
  judgeTyped,
  type TypedBatch,
  typedBatchOf,
  type TypedValue,
} from '../../../../src/domain/messages/typed-batch.js';
import { serviceErrorOf } from '../../../../src/wire/errors/error-again.js';
import { textOf } from '../../../../src/wire/json/json.js';

const datatypes = createDatatypes();
const { validation: rules } = currentRules;
const number = textOf({ type: 'number' });
/** Needs about as many steps as it has items. */
const list = textOf({ items: { type: 'number' } });

function aValue(value: unknown, changes: Partial<TypedValue> = {}): TypedValue {
  return { index: 0, datatype: 'a@1', schema: 0, value: textOf(value), ...changes };
}

function reasonsOf(batch: TypedBatch, limits = rules): readonly (string | undefined)[] {
  return judgeTyped(datatypes, batch, limits).map(({ refusal }) => refusal?.reason);
}

describe('the messages of a batch', () => {
  it('are each judged by their own values', () => {
    const messages = [[aValue(1), aValue(2)], [aValue('one')], [aValue(1, { schema: undefined })], [aValue(3)]];
    expect(reasonsOf({ schemas: [number], messages })).toEqual([
      undefined,
      'value_breaks_schema',
      'datatype_unknown',
      undefined,
    ]);
  });

  it('are refused for a missing datatype rather than for an invalid value', () => {
    const messages = [[aValue('one'), aValue(1, { schema: undefined, index: 1 })]];
    const [verdict] = judgeTyped(datatypes, { schemas: [number], messages }, rules);
    expect(verdict?.refusal).toEqual({ reason: 'datatype_unknown', fields: { index: 1, datatype: 'a@1' } });
  });

  it('share the steps of their batch: the first one to exceed them is refused, with all later ones', () => {
    const messages = Array.from({ length: 6 }, () => [aValue(new Array(1_000).fill(1))]);
    const batch = { schemas: [list], messages };
    const [first, second] = judgeTyped(datatypes, batch, rules);
    const each = second?.steps ?? 0;
    const compiling = (first?.steps ?? 0) - each;
    expect(each).toBeGreaterThan(100);
    const limits = { ...rules, maxBatchSteps: compiling + 4 * each };
    expect(reasonsOf(batch, limits)).toEqual([...new Array(4).fill(undefined), 'too_many_steps', 'too_many_steps']);
    const rest = [[aValue(1, { schema: undefined })], ...messages];
    const exact = { ...batch, messages: [...messages.slice(0, 4), ...rest] };
    expect(reasonsOf(exact, limits).slice(3, 6)).toEqual([undefined, 'datatype_unknown', 'too_many_steps']);
  });

  it('are refused after it even if a datatype is missing or a value is invalid', () => {
    const messages = [[aValue(new Array(1_000).fill(1))], [aValue('one')], [aValue(1, { schema: undefined })]];
    const limits = { ...rules, maxBatchSteps: 250 };
    expect(reasonsOf({ schemas: [list], messages }, limits)).toEqual(new Array(3).fill('too_many_steps'));
    const [verdict] = judgeTyped(datatypes, { schemas: [list], messages }, limits);
    expect(verdict?.refusal && serviceErrorOf(verdict.refusal).code).toBe('PY1108');
  });

  it('count a schema once', () => {
    const messages = [[aValue([1])], [aValue([1])]];
    const [first, second] = judgeTyped(datatypes, { schemas: [list], messages }, rules);
    const { steps } = datatypes.compile(list, rules);
    expect((first?.steps ?? 0) - (second?.steps ?? 0)).toBe(steps);
  });

  it('have no common limit in a network without one', () => {
    const messages = [[aValue(new Array(1_000).fill(1))], [aValue('one')]];
    expect(reasonsOf({ schemas: [number], messages }, firstRules.validation)).toEqual([
      'value_breaks_schema',
      'value_breaks_schema',
    ]);
  });

  it('are refused for a value beyond its own limit, and then the others continue', () => {
    const messages = [[aValue(new Array(5_000).fill(1))], [aValue([1])]];
    const limits = { ...rules, maxSteps: 500 };
    expect(reasonsOf({ schemas: [list], messages }, limits)).toEqual(['value_breaks_schema', undefined]);
  });

  it('are one message if it is alone, with each schema counted once', () => {
    const values = [number, list, number, undefined].map((schema, index) => {
      return { index, datatype: 'a@1', schema, value: textOf(1) };
    });
    const { schemas, messages } = typedBatchOf(values);
    expect(schemas).toEqual([number, list]);
    expect(messages.map((message) => message.map(({ schema }) => schema))).toEqual([[0, 1, 0, undefined]]);
  });
});
