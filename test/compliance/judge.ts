import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createJudgement, type InputOf, type Kind, isSmall } from '../../src/domain/judgement.js';
import { currentRules } from '../../src/domain/network/network-rules.js';
import { typedBatchOf } from '../../src/domain/messages/typed-batch.js';
import { sealBatch } from '../../src/domain/messages/batch.js';
import type { Judge } from '../../src/ports/judge.js';
import { BatchEnvelope } from '../../src/wire/messages/envelope.js';
import { textOf, write } from '../../src/wire/json/json.js';
import type { JsonText } from '../../src/wire/scalar.js';
import { aContent, alice } from '../support/fixtures.js';
import { codeOfAsync } from '../support/codes.js';

const asking = { lane: 'verdicts', limitMs: 60_000 } as const;
const schema = textOf({ type: 'object', required: ['a'], properties: { a: { type: 'integer' } } });
const unique = textOf({ uniqueItems: true });
const { validation: rules } = currentRules;
const typed = (a: unknown) => ({ index: 0, datatype: 'a@1', schema, value: textOf({ a }) });
const many = (length: number) => Array.from({ length }, (_, i) => i);

/** A question of any kind. */
type Question = { readonly [K in Kind]: { readonly kind: K; readonly input: InputOf<K> } }[Kind];

/** Questions of every kind, small and large, with good and bad answers. */
function questions(): readonly Question[] {
  const { payload } = sealBatch(aContent());
  const group = { namespace: 'default', name: '', members: [{ identity: alice.did, node: alice.node }] };
  const event = {
    name: 'Moved',
    params: [{ name: 'to', schema: textOf({ type: 'string', details: { type: 'address' } }) }],
  };
  return [
    { kind: 'schema', input: { schema, rules } },
    { kind: 'schema', input: { schema: textOf({ type: 'nothing' }), rules } },
    { kind: 'schema', input: { schema: textOf({ pattern: '(?=a)' }), rules } },
    { kind: 'value', input: { schema, rules, value: textOf({ a: 1 }) } },
    { kind: 'value', input: { schema, rules, value: textOf({ a: 'x' }) } },
    { kind: 'value', input: { schema, rules, value: textOf({ a: 1, b: 'x'.repeat(300_000) }) } },
    { kind: 'value', input: { schema: unique, rules, value: textOf([...many(3_000), 7]) } },
    { kind: 'typed', input: { batch: typedBatchOf([typed(1), typed(2)]), rules } },
    { kind: 'typed', input: { batch: typedBatchOf([typed(1), typed('x'.repeat(300_000))]), rules } },
    { kind: 'interface', input: { topics: ['x'], text: textOf({ no: 'interface' }), rules: currentRules } },
    { kind: 'parts', input: { methods: [], events: many(300).map(() => event), errors: [] } },
    { kind: 'abi', input: textOf([{ type: 'event', name: 'Moved', inputs: [{ name: 'to', type: 'address' }] }]) },
    { kind: 'payload', input: payload },
    { kind: 'payload', input: `"${'x'.repeat(100_000)}"` },
    { kind: 'envelope', input: write(BatchEnvelope, { version: 1, group, payload }) },
    { kind: 'envelope', input: '['.repeat(100_000) },
  ];
}

/** The obligations of `ports/judge.ts`. */
export function describeJudge(adapter: string, create: () => Judge): void {
  describe(`judge: ${adapter}`, () => {
    let judge: Judge;
    beforeEach(() => {
      judge = create();
    });
    afterEach(() => judge.close());

    it('answers like the direct judgement, of every kind and size', async () => {
      const judgement = createJudgement();
      for (const { kind, input } of questions()) {
        expect(await judge.ask(kind, input, asking)).toEqual(judgement(kind, input));
        if (isSmall(kind, input)) expect(judge.now(kind, input)).toEqual(judgement(kind, input));
      }
    });

    it('throws the error of the judgement', async () => {
      const nameless = { methods: [], events: [{ name: '', params: [] }], errors: [] };
      expect(await codeOfAsync(() => judge.ask('parts', nameless, asking))).toBe('FF10320');
      expect(await codeOfAsync(async () => judge.now('parts', nameless))).toBe('FF10320');
      expect(await codeOfAsync(() => judge.ask('abi', '{}' as JsonText, asking))).toBe('FF10346');
    });

    it('answers each of many concurrent questions', async () => {
      const values = many(50).map((a) => ({ schema, rules, value: textOf(a % 2 === 0 ? { a } : { a: `${a}` }) }));
      const answers = await Promise.all(
        values.map((value, i) => judge.ask('value', value, { ...asking, lane: i % 3 === 0 ? 'requests' : 'verdicts' })),
      );
      expect(answers.map(({ length }) => length)).toEqual(many(50).map((a) => a % 2));
    });

    it('answers no caller that has aborted, and all others', async () => {
      const signal = AbortSignal.abort();
      const value = { schema, rules, value: textOf({ a: 1 }) };
      await expect(judge.ask('value', value, { ...asking, signal })).rejects.toMatchObject({ reason: 'stopped' });
      expect(await judge.ask('value', value, asking)).toEqual([]);
    });

    it('accepts no question after it was closed', async () => {
      await judge.close();
      await expect(judge.ask('schema', { schema, rules }, asking)).rejects.toMatchObject({ reason: 'stopped' });
    });
  });
}
