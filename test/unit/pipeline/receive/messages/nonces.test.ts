import { expect, it } from 'vitest';
import { createManualClock } from '../../../../../src/adapters/clock/manual.js';
import { createMemoryDatabase } from '../../../../../src/adapters/database/memory/memory.js';
import { sealBatch } from '../../../../../src/domain/messages/batch.js';
import { maskedPin } from '../../../../../src/domain/messages/pin.js';
import { examinePayload, type VerifiedGroup } from '../../../../../src/domain/messages/verify.js';
import { createRegistry } from '../../../../../src/pipeline/state/identities/registry.js';
import { createRulebook } from '../../../../../src/pipeline/state/rulebook.js';
import { judgeBatch } from '../../../../../src/pipeline/receive/messages/judge.js';
import { createNonceGaps } from '../../../../../src/pipeline/receive/messages/nonces.js';
import type { Reader } from '../../../../../src/ports/database.js';
import type { BatchRow } from '../../../../../src/ports/tables/tables.js';
import { aBatch } from '../../../../compliance/database/rows.js';
import { aContent, alice, aMessage, uuid } from '../../../../support/fixtures.js';

const group: VerifiedGroup = {
  hash: 'ab'.repeat(32),
  namespace: 'default',
  members: [{ identity: alice.did, node: alice.node }],
};
const topic = 'orders';
/** Number of nonces that alice pins without payloads. */
const many = 2_000;

/** A node with pins of alice for these nonces, whose batches never arrive. */
async function aNode(nonces: readonly number[], namespaces: readonly string[] = ['default']) {
  const database = createMemoryDatabase();
  const gaps = createNonceGaps();
  let reads = 0;
  const counting: Reader = {
    ...database,
    rows: (...asked) => {
      reads += 1;
      return database.rows(...asked);
    },
  };
  const insert = (batch: string, batchHash: string, each: readonly number[]): Promise<void> =>
    database.transaction((unit) =>
      unit.insert(
        'pins',
        each.map((nonce, index) => {
          const of = { batch, batchHash, signer: alice.key, identity: alice.did, index, block: 1 };
          const context = maskedPin(topic, group.hash, alice.did, nonce);
          return { namespace: 'svc_system', context, ...of, masked: true, spent: false, created: '' };
        }),
      ),
    );
  await insert(uuid(1), 'lost', nonces);
  return {
    pin: (nonce: number) => insert(uuid(2), `lost ${nonce}`, [nonce]),

    /** Pins a batch of one message and judges it. Returns its verdict and the number of reads. */
    async judge(nonce: number): Promise<{ readonly verdict: string; readonly reads: number }> {
      const message = { ...aMessage({ type: 'private', group: group.hash, topics: [topic] }), nonces: [nonce] };
      const content = aContent({ id: uuid(nonce + 10), messages: [message] });
      const sealed = sealBatch(content);
      await insert(content.id, sealed.hash, [nonce]);
      const batch: BatchRow = {
        ...aBatch({ id: content.id, hash: sealed.hash, signer: alice.key, author: alice.did, type: 'private' }),
        txid: content.transactionId,
        sequence: 1,
      };
      const registry = { ...createRegistry(), nodeIdOf: () => Promise.resolve(alice.node) };
      const examined = examinePayload(sealed.payload);
      reads = 0;
      const rulebook = createRulebook(createManualClock());
      const parts = { registry, namespaces, nonceGaps: gaps, rulebook };
      const verdict = await judgeBatch(counting, parts, batch, { examined, group });
      return { verdict: verdict.status === 'void' ? verdict.reason : verdict.status, reads };
    },
  };
}

const pinned = Array.from({ length: many }, (_, i) => i + 1);
const isVoid = 'a nonce before one that comes before it';

it('searches for a nonce that an author never pins once, not for each of its later batches', async () => {
  const node = await aNode(pinned);
  expect((await node.judge(many + 1)).verdict).toBe(isVoid);
  const { verdict, reads } = await node.judge(many + 2);
  expect([verdict, reads < 8]).toEqual([isVoid, true]);
});

it('accepts nonces after the missing one is pinned', async () => {
  const node = await aNode(pinned);
  expect((await node.judge(many + 1)).verdict).toBe(isVoid);
  await node.pin(0);
  expect((await node.judge(many + 2)).verdict).toBe('valid');
});

it('compares no nonces of a batch whose namespace is not here, since each would compare them again', async () => {
  const node = await aNode([0, ...pinned], ['blue']);
  const { verdict, reads } = await node.judge(many + 1);
  expect([verdict, reads]).toEqual(['this node has no namespace default', 1]);
});
