import { expect, it } from 'vitest';
import { createManualClock } from '../../../../../src/adapters/clock/manual.js';
import { createMemoryDatabase } from '../../../../../src/adapters/database/memory/memory.js';
import { createDirectJudge } from '../../../../../src/adapters/judge/direct.js';
import { createSeededRandom } from '../../../../../src/adapters/random/seeded.js';
import { identityUpdateTag } from '../../../../../src/domain/definition.js';
import { currentRules } from '../../../../../src/domain/network/network-rules.js';
import { identityRule } from '../../../../../src/pipeline/aggregate/define/identity.js';
import { createKnownDatatypes } from '../../../../../src/pipeline/aggregate/define/known.js';
import { createKnownPools } from '../../../../../src/pipeline/aggregate/define/tokens/known-pools.js';
import { createTypedVerdicts } from '../../../../../src/pipeline/aggregate/typed.js';
import { createKnownAnswers } from '../../../../../src/pipeline/judging/known.js';
import { createUnitJudge } from '../../../../../src/pipeline/judging/unit-judge.js';
import { newMessage } from '../../../../../src/pipeline/state/messages/message-row.js';
import { textOf } from '../../../../../src/wire/json/json.js';
import { alice, aMessage, uuid } from '../../../../support/fixtures.js';

const registeredIn = 5;

/** Judges an update by alice of her own identity at a place in this block; resolves with the refusal. */
async function judge(block: number): Promise<string | undefined> {
  const [namespace, topics, now] = ['svc_system', ['svc_ns_default'], createManualClock().now()];
  const sealed = aMessage({ type: 'definition', namespace, topics, tag: identityUpdateTag }, []);
  const message = { ...newMessage(sealed, { items: new Map(), state: 'ready', pins: [] }), sequence: 1 };
  const text = textOf({ did: alice.did, namespace: 'default', description: 'the first' });
  const names = { id: uuid(8), did: alice.did, type: 'org', parent: null, name: 'alice' } as const;
  const times = { created: now, updated: null, endpoint: null, publicKeyHash: null };
  const database = createMemoryDatabase();
  return database.transaction(async (unit) => {
    await unit.insert('identities', [{ namespace, ...names, ...times, block: registeredIn }]);
    const unitJudge = createUnitJudge(createDirectJudge({ isNow: () => true }), createKnownAnswers());
    const [known, pools, verdicts] = [createKnownDatatypes(unit), createKnownPools(unit), createTypedVerdicts()];
    const local = { connectors: new Map(), own: { keys: [] }, now, random: createSeededRandom(1) };
    const parts = { unit, rules: currentRules, unitJudge, verdicts, known, pools, noted: new Set<string>(), ...local };
    return (await identityRule.judge(parts, { message, text, place: 1, block })).refusal;
  });
}

it('an update of an identity is refused in a block before that of the identity, and not in the same one', async () => {
  expect(await judge(registeredIn - 1)).toMatch(/^FF10408/);
  expect(await judge(registeredIn)).toBeUndefined();
});
