import { expect, test } from 'vitest';
import { profileRulesOf } from '../../../../../src/domain/network/profile.js';
import { createManualClock } from '../../../../../src/adapters/clock/manual.js';
import { createMemoryDatabase } from '../../../../../src/adapters/database/memory/memory.js';
import { createSeededRandom } from '../../../../../src/adapters/random/seeded.js';
import { sealBatch } from '../../../../../src/domain/messages/batch.js';
import { identityId, nodeDid } from '../../../../../src/domain/network/identity.js';
import { topicPin } from '../../../../../src/domain/messages/pin.js';
import { examinePayload } from '../../../../../src/domain/messages/verify.js';
import { createRegistry } from '../../../../../src/pipeline/state/identities/registry.js';
import { createRulebook } from '../../../../../src/pipeline/state/rulebook.js';
import { batchProgress, messageProgress } from '../../../../../src/pipeline/progress.js';
import { createNonceGaps } from '../../../../../src/pipeline/receive/messages/nonces.js';
import { holdOwn } from '../../../../../src/pipeline/receive/messages/own.js';
import { describedItems, newMessage } from '../../../../../src/pipeline/state/messages/message-row.js';
import { anOperation } from '../../../../compliance/database/rows.js';
import { every } from '../../../../../src/ports/tables/where.js';
import { aContent, alice, aMessage, anItem } from '../../../../support/fixtures.js';
import { register } from '../../../../support/registry.js';

const namespace = 'default';

/** Receives the pin of a batch of alice, with these contexts. */
async function receivePin(contexts: readonly string[]) {
  const database = createMemoryDatabase();
  await register(database, ['alice']);
  await database.transaction((unit) => unit.update('keys', {}, { key: alice.key }));
  const content = aContent({ node: identityId(nodeDid('alice-node')) });
  const sealed = sealBatch(content);
  const message = aMessage();
  await database.transaction(async (unit) => {
    await unit.insert('payloads', [{ namespace, hash: sealed.hash, text: sealed.payload }]);
    const items = describedItems([anItem()]);
    const place = {
      items,
      state: 'ready' as const,
      pins: [topicPin('orders')],
      batch: sealed,
      txid: content.transactionId,
    };
    await unit.insert('messages', [newMessage(message, place)]);
    const manifest = [{ id: message.header.id, hash: message.hash, topics: 1 }];
    const { id, node, transactionId: txid, created } = content;
    const row = {
      namespace,
      id,
      hash: sealed.hash,
      signer: alice.key,
      author: alice.did,
      node,
      txid,
      created,
      manifest,
    };
    const state = { state: 'pinned', payloadRef: null, reason: null, confirmed: null } as const;
    await unit.insert('batches', [{ ...row, ...state, type: 'broadcast', group: null }]);
    const file = { batch: id, batchHash: sealed.hash, signer: alice.key, type: 'dataexchange_send_blob' } as const;
    await unit.insert('operations', [
      anOperation({ ...file, id: 'sent', status: 'Succeeded' }),
      anOperation({ ...file, id: 'open', status: 'Pending', error: 'No envelope that is here needs this blob.' }),
      anOperation({ ...file, id: 'other', batchHash: 'other', status: 'Pending' }),
    ]);
    const pin = { masked: false, batch: id, batchHash: sealed.hash, signer: alice.key, identity: alice.did };
    await unit.insert(
      'pins',
      contexts.map((context, index) => {
        return { namespace: 'svc_system', context, ...pin, index, spent: false, block: 1, created };
      }),
    );
  });
  const parts = {
    registry: createRegistry(),
    nonceGaps: createNonceGaps(),
    rulebook: createRulebook(createManualClock()),
    namespaces: [namespace],
    clock: createManualClock(),
    random: createSeededRandom(1),
    profileRules: profileRulesOf(undefined),
    examined: { of: () => examinePayload(sealed.payload) },
  };
  const [batch] = await database.rows('batches', { namespace }, { limit: 10 });
  if (batch === undefined) throw new Error('There is no batch');
  const log = {
    payloadRef: 'Qm',
    transactionHash: `0x${'c'.repeat(64)}`,
    position: { block: 7, transactionIndex: 0, logIndex: 0 },
  };
  const bells = await database.transaction((unit) => holdOwn(unit, batch, log, parts));
  const stored = {
    batches: await database.rows('batches', { namespace }, { limit: 10 }),
    messages: await database.rows('messages', { namespace }, { limit: 10 }),
    operations: await database.rows('operations', { namespace: every }, { limit: 10 }),
  };
  const progress = await Promise.all([
    ...stored.messages.map((message) => messageProgress(database, message)),
    ...stored.batches.map((each) => batchProgress(database, each)),
  ]);
  return { ...stored, bells, progress, events: await database.rows('events', { namespace }, { limit: 10 }) };
}

test('a batch of this node is held if its pin matches the sealed batch', async () => {
  const { batches, messages, events } = await receivePin([topicPin('orders')]);
  expect(batches).toMatchObject([{ state: 'held', payloadRef: 'Qm', reason: null }]);
  expect(messages).toMatchObject([{ state: 'ready' }]);
  expect(events).toEqual([]);
});

test('a batch of this node is void if its pin differs, and its messages are rejected with one event each', async () => {
  const { batches, messages, events, bells } = await receivePin([topicPin('bills')]);
  expect(batches).toMatchObject([{ state: 'void', payloadRef: 'Qm' }]);
  expect(messages).toMatchObject([{ state: 'rejected', rejectReason: expect.stringMatching(/^PY1902: /) }]);
  expect(messages[0]).toMatchObject({ confirmed: null, rejected: expect.any(String) as string });
  expect(events).toMatchObject([{ type: 'message_rejected', reference: messages[0]?.id }]);
  expect(bells).toContain('events');
});

test('files of a void batch are offered no more', async () => {
  const statesOf = async (context: string) =>
    (await receivePin([topicPin(context)])).operations.map(({ id, status, error }) => [id, status, error]);
  const open = ['open', 'Pending', 'No envelope that is here needs this blob.'];
  const others = [['sent', 'Succeeded', null], open, ['other', 'Pending', null]];
  expect(await statesOf('orders')).toEqual(others);
  expect(await statesOf('bills')).toEqual(others.with(1, ['open', 'Succeeded', null]));
});

test('the message of a void batch is final, without missing steps', async () => {
  const { progress } = await receivePin([topicPin('bills')]);
  expect(progress).toMatchObject([
    { state: 'rejected', waits: [] },
    { state: 'void', missing: 'decided' },
  ]);
  expect(progress[0]).not.toHaveProperty('missing');
});
