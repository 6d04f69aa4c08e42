import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../../../src/adapters/clock/manual.js';
import { createMemoryExchange } from '../../../../src/adapters/data-exchange/memory.js';
import { createSeededRandom } from '../../../../src/adapters/random/seeded.js';
import { hashOfGroup } from '../../../../src/domain/group.js';
import { sha256 } from '../../../../src/domain/hash.js';
import { createBatchStage } from '../../../../src/pipeline/batch/batch.js';
import { createSendEnvelope } from '../../../../src/pipeline/dispatch/peer.js';
import { createRegistry } from '../../../../src/pipeline/state/identities/registry.js';
import type { PeerAnswer, PeerReceiver } from '../../../../src/ports/data-exchange.js';
import type { PrivateRequest } from '../../../../src/wire/messages/message.js';
import { BatchEnvelope, MessageEnvelope } from '../../../../src/wire/messages/envelope.js';
import { check } from '../../../../src/wire/check.js';
import { compact, read } from '../../../../src/wire/json/json-reader.js';
import { rowsOf } from '../../../support/pipelines-check.js';
import { anAcceptance, member, own } from '../accept/messages/acceptance.js';
import { rulebookOf } from '../../../support/rulebook.js';

const value = compact('{"price":1.50,"big":12345678901234567890,"price":"\\u0041"}');
const aliceKey = '1'.padStart(64, '0');
const bobsPeer = { endpoint: 'https://bob', publicKeyHash: '2'.padStart(64, '0') };

/** Creates alice's node with an envelope for bob's node, which gives this answer. */
async function aScene(header: PrivateRequest['header'], answer: PeerAnswer = { status: 'stored' }) {
  const { acceptPrivate, database } = await anAcceptance();
  const exchange = createMemoryExchange();
  const dataExchange = exchange.connect({ endpoint: 'https://alice', publicKeyHash: aliceKey });
  const received: string[] = [];
  const bob = exchange.connect(bobsPeer);
  bob.admit(new Set([aliceKey]));
  const receiver: PeerReceiver = {
    receiveEnvelope: async (sender, envelope) => {
      expect(sender).toBe(aliceKey);
      received.push(envelope);
      return answer;
    },
    offerBlob: () => Promise.reject(new Error('no blob is sent here')),
    receiveBlob: () => Promise.reject(new Error('no blob is sent here')),
    receiveRequest: () => Promise.reject(new Error('no batch is requested here')),
  };
  const registry = createRegistry();
  const failpoint = { reach: () => Promise.resolve() };
  await acceptPrivate('default', {
    header: header ?? {},
    group: { members: [{ identity: 'bob' }] },
    data: [{ value }],
  });
  const [clock, random] = [createManualClock(), createSeededRandom(2)];
  await createBatchStage({ database, own, registry, clock, random, failpoint, rulebook: rulebookOf() }).step();
  const operations = await rowsOf(database, 'operations');
  const operation = operations.find(({ type }) => type === 'dataexchange_send_batch');
  if (operation === undefined) throw new Error('There is no envelope to send');
  const run = createSendEnvelope({ database, dataExchange, registry, failpoint, clock, random });
  return {
    send: () => run(operation, new AbortController().signal),
    listen: () => bob.listen(receiver),
    received,
    database,
  };
}

const members = [member('alice'), member('bob')];

describe('an envelope to a peer', () => {
  it('has the group and the exact payload of the batch', async () => {
    const { send, listen, received, database } = await aScene({});
    await listen();
    expect(await send()).toMatchObject({ status: 'done' });
    const [payload] = await rowsOf(database, 'payloads');
    const envelope = read(received[0] ?? '', BatchEnvelope).value;
    if (!check(BatchEnvelope, envelope)) throw new Error('This is no envelope of a batch.');
    expect(envelope.payload).toBe(payload?.text);
    expect(sha256(envelope.payload)).toBe(payload?.hash);
    expect(envelope.group).toEqual({ namespace: 'default', name: '', members });
  });

  it('has everything that its receiver needs to judge an unpinned message', async () => {
    const { send, listen, received, database } = await aScene({ txtype: 'none' });
    await listen();
    expect(await send()).toMatchObject({ status: 'done' });
    const envelope = read(received[0] ?? '', MessageEnvelope).value;
    if (!check(MessageEnvelope, envelope)) throw new Error('This is no envelope of a message.');
    const [row] = await rowsOf(database, 'messages');
    expect(envelope).toMatchObject({
      version: 1,
      node: member('alice').node,
      tx: { type: 'none', id: row?.txid },
      message: {
        header: { id: row?.id, group: hashOfGroup('default', '', members) },
        hash: row?.hash,
        data: row?.data.map(({ id, hash }) => ({ id, hash })),
      },
      data: [{ id: row?.data[0]?.id, value }],
    });
    expect(received[0]).toContain(value);
  });

  it('is the same at every attempt', async () => {
    const { send, listen, received } = await aScene({});
    await listen();
    await send();
    await send();
    expect(received).toHaveLength(2);
    expect(received[1]).toBe(received[0]);
  });

  it('is unreachable while its peer does not listen', async () => {
    const { send } = await aScene({});
    expect(await send()).toMatchObject({ status: 'unreachable' });
  });

  it('is sent later if the peer asks for that, and fails if the peer refuses it', async () => {
    const busy = await aScene({}, { status: 'later', reason: 'the registry is not read yet' });
    await busy.listen();
    expect(await busy.send()).toEqual({ status: 'later', error: 'the registry is not read yet' });
    const strict = await aScene({}, { status: 'refused', reason: 'the hash differs' });
    await strict.listen();
    expect(await strict.send()).toMatchObject({ status: 'failed', error: expect.stringContaining('the hash differs') });
  });

  it('is sent to the current endpoint of the peer, and waits while it has none', async () => {
    const { send, listen, database, received } = await aScene({});
    await listen();
    const move = (endpoint: string) =>
      database.transaction((unit) => {
        return unit.update('identities', { id: member('bob').node }, { endpoint });
      });
    await move('');
    expect(await send()).toMatchObject({ status: 'unreachable' });
    await move('https://elsewhere');
    expect(await send()).toMatchObject({ status: 'unreachable' });
    await move(bobsPeer.endpoint);
    expect(await send()).toMatchObject({ status: 'done' });
    expect(received).toHaveLength(1);
  });
});
