import { describe, expect, it } from 'vitest';
import { sha256 } from '../../../../src/domain/hash.js';
import { groupContext, maskedPin, topicPin } from '../../../../src/domain/messages/pin.js';
import { textOf } from '../../../../src/wire/json/json.js';
import { deskKey, member, own } from '../accept/messages/acceptance.js';
import { aSealer, blob, storeBlobItem } from './sealer.js';

const data = [{ value: textOf(1) }];

/** Returns the group of an accepted message. */
function groupOf({ header }: { readonly header: { readonly group?: string } }): string {
  return header.group ?? '';
}

describe('the sealing of private messages', () => {
  it('gives each topic the next nonce, and stores pins and nonces with the message', async () => {
    const { send, step, rows } = await aSealer();
    const group = groupOf(await send(['bob'], ['a', 'b']));
    await send(['bob'], ['b']);
    expect(await step()).toEqual({ hasWorked: false, rings: ['operations', 'events'] });
    const [first, second] = await rows('messages');
    const pin = (topic: string, nonce: number) => maskedPin(topic, group, own.did, nonce);
    expect(first).toMatchObject({ nonces: [0, 0], pins: [pin('a', 0), pin('b', 0)] });
    expect(second).toMatchObject({ nonces: [1], pins: [pin('b', 1)], batch: first?.batch });
    const counters = new Map((await rows('nonces')).map(({ context, nonce }) => [context, nonce]));
    expect(counters).toEqual(
      new Map(
        [
          ['a', 1],
          ['b', 2],
        ].map(([t, n]) => [groupContext(String(t), group), n]),
      ),
    );
  });

  it('stores the batch, its payload, its pin, and an envelope for each other member', async () => {
    const { send, step, rows, operations } = await aSealer();
    const group = groupOf(await send(['bob', 'carol'], ['a']));
    await step();
    const [batch] = await rows('batches');
    const [payload] = await rows('payloads');
    expect(batch).toMatchObject({ type: 'private', group, payloadRef: '', state: 'sealed', author: own.did });
    expect(sha256(payload?.text ?? '')).toBe(batch?.hash);
    expect(payload?.text).toContain('"nonces":[0]');
    const about = { batch: batch?.id, batchHash: batch?.hash, signer: own.key, tx: batch?.txid, status: 'Initialized' };
    expect(await operations('blockchain_pin_batch')).toMatchObject([{ ...about, lane: `key:${own.key}` }]);
    const peers = [member('bob'), member('carol')].map(({ node }) => node);
    expect(await operations('dataexchange_send_batch')).toMatchObject(
      peers.map((peer) => ({ ...about, plugin: 'mtls', lane: `peer:${peer}`, input: { peer, group } })),
    );
    expect(await operations('sharedstorage_upload_batch')).toEqual([]);
  });

  it('stores the first expected pin of every member, once for each context', async () => {
    const { send, step, rows, endPin } = await aSealer();
    const group = groupOf(await send(['bob'], ['a']));
    await step();
    const [batch] = await rows('batches');
    await endPin('Succeeded', batch?.id ?? '');
    await send(['bob'], ['a']);
    await step();
    const [alice, bob] = [own.did, member('bob').identity];
    const context = { namespace: 'default', topic: 'a', group, context: groupContext('a', group), nonce: 0 };
    expect(await rows('nextpins')).toMatchObject([
      { ...context, identity: alice, hash: maskedPin('a', group, alice, 0) },
      { ...context, identity: bob, hash: maskedPin('a', group, bob, 0) },
    ]);
  });

  it('continues the nonces in later batches', async () => {
    const { send, step, rows, endPin } = await aSealer();
    for (let round = 0; round < 3; round++) {
      await send(['bob'], ['a']);
      await step();
      await endPin('Succeeded', (await rows('batches')).at(-1)?.id ?? '');
    }
    expect((await rows('messages')).map(({ nonces }) => nonces)).toEqual([[0], [1], [2]]);
    expect((await rows('nonces')).map(({ nonce }) => nonce)).toEqual([3]);
  });

  it('seals one group in a batch, and sends each blob once to each other member', async () => {
    const { acceptPrivate, database, step, rows, operations } = await aSealer();
    const item = await storeBlobItem(database);
    const group = { members: [{ identity: 'bob' }] };
    await acceptPrivate('default', { group, data: [{ id: item.id }] });
    await acceptPrivate('default', { group: { members: [{ identity: 'carol' }] } });
    await acceptPrivate('default', { group, data: [{ id: item.id }] });
    await step();
    const [batch] = await rows('batches');
    expect((await rows('messages')).map((row) => row.batch)).toEqual([batch?.id, null, batch?.id]);
    expect(await operations('dataexchange_send_blob')).toMatchObject([
      {
        blob: blob.hash,
        lane: `blobs:${member('bob').node}`,
        input: { peer: member('bob').node, source: batch?.hash, size: 7 },
      },
    ]);
  });

  it('leaves messages behind that have more topics than a batch of their group may have', async () => {
    const { database, send, step, rows } = await aSealer();
    for (let i = 0; i < 5; i++)
      await send(
        ['bob'],
        Array.from({ length: 10 }, (_, n) => `${i}.${n}`),
      );
    const members = Array.from({ length: 256 }, (_, i) => ({ identity: `did:${i}`, node: `${i}` }));
    await database.transaction((unit) => unit.update('groups', { namespace: 'default' }, { members }));
    await step();
    const [batch] = await rows('batches');
    expect((await rows('messages')).map((row) => row.batch)).toEqual([...Array(4).fill(batch?.id), null]);
  });

  it('skips unpinned messages', async () => {
    const { acceptPrivate, step, rows } = await aSealer();
    await acceptPrivate('default', { header: { txtype: 'none' }, group: { members: [{ identity: 'bob' }] } });
    expect(await step()).toEqual({ hasWorked: false, rings: [] });
    expect(await rows('batches')).toEqual([]);
  });
});

describe('the lanes of sealing', () => {
  it('seal a broadcast and a private batch of one key in the same step', async () => {
    const { broadcast, send, step, rows } = await aSealer();
    await send(['bob'], ['a']);
    await broadcast('a');
    await step();
    expect((await rows('batches')).map(({ type }) => type)).toEqual(['broadcast', 'private']);
  });

  it('seal private messages while a broadcast is being uploaded', async () => {
    const { broadcast, send, step, rows } = await aSealer();
    await broadcast('a');
    await step();
    await broadcast('b');
    await send(['bob'], ['a']);
    await step();
    expect((await rows('messages')).map(({ batch }) => batch !== null)).toEqual([true, false, true]);
  });

  it('gather all messages of a key while one of its pins is in flight', async () => {
    const { broadcast, send, step, rows, endPin } = await aSealer();
    await send(['bob'], ['a']);
    await step();
    await broadcast('a');
    await send(['bob'], ['a']);
    await send(['bob'], ['b']);
    await step();
    expect(await rows('batches')).toHaveLength(1);
    await endPin('Succeeded', (await rows('batches'))[0]?.id ?? '');
    await step();
    expect((await rows('batches')).map(({ type, manifest }) => [type, manifest?.length])).toEqual([
      ['private', 1],
      ['broadcast', 1],
      ['private', 2],
    ]);
  });

  it('block only messages of the same kind behind a pin that has failed permanently', async () => {
    const { broadcast, send, step, rows, endPin } = await aSealer();
    await send(['bob'], ['a']);
    await step();
    await endPin('Failed', (await rows('batches'))[0]?.id ?? '');
    await send(['bob'], ['a']);
    await broadcast('a');
    await step();
    expect((await rows('batches')).map(({ type }) => type)).toEqual(['private', 'broadcast']);
  });

  it('are separate for each key', async () => {
    const { acceptPrivate, send, step, rows } = await aSealer();
    await send(['bob'], ['a']);
    await step();
    const group = { members: [{ identity: 'bob' }] };
    await acceptPrivate('default', { header: { author: 'alice-desk', topics: ['a'] }, group });
    await step();
    const [, desk] = await rows('batches');
    expect(desk).toMatchObject({ signer: deskKey, author: 'did:parley:alice-desk', node: member('alice').node });
  });

  it('are all sealed, even if 450 messages wait in one', async () => {
    const { acceptMessage, broadcast, step, rows } = await aSealer();
    for (let count = 0; count < 450; count++) await broadcast('a');
    for (let count = 0; count < 3; count++) await acceptMessage('default', { header: { author: 'alice-desk' }, data });
    await step();
    const sizes = (await rows('batches')).map(({ signer, manifest }) => [signer, manifest?.length]);
    expect(sizes).toEqual([
      [own.key, 200],
      [deskKey, 3],
    ]);
  });

  it('skip broadcasts behind a missing blob, and seal those that share no topic with them', async () => {
    const { acceptMessage, broadcast, database, step, rows } = await aSealer();
    const item = await storeBlobItem(database);
    await acceptMessage('default', { header: { topics: ['big'] }, data: [{ id: item.id }] });
    for (let count = 0; count < 820; count++) await broadcast('big');
    const free = await broadcast('small');
    await step();
    expect((await rows('messages')).filter(({ batch }) => batch !== null)).toMatchObject([{ id: free.header.id }]);
    const changes = { blobPublic: 'Qm' };
    await database.transaction(async (unit) => {
      await unit.update('data', { namespace: 'default', id: item.id }, changes);
      await unit.update('batches', { namespace: 'default' }, { state: 'pinned' });
    });
    await step();
    const [, second] = await rows('batches');
    expect(second?.manifest).toHaveLength(200);
    expect((await rows('payloads'))[1]?.text).toContain(textOf(changes.blobPublic));
  });

  it('rest five times as long as it took to find that all of very many broadcasts are held back', async () => {
    let reads = 0;
    const sealer = await aSealer({
      beforeMessages: async () => {
        reads += 1;
        await sealer.clock.advance(100);
      },
    });
    const { acceptMessage, broadcast, send, clock, database, step, rows } = sealer;
    const item = await storeBlobItem(database);
    await acceptMessage('default', { header: { topics: ['big'] }, data: [{ id: item.id }] });
    for (let count = 0; count < 420; count++) await broadcast('big');
    expect(await step()).toEqual({ hasWorked: false, rings: [], againAfterMs: 1_500 });
    const whole = reads;
    await send(['bob'], ['a']);
    expect(await step()).toMatchObject({ rings: ['operations', 'events'], againAfterMs: 1_500 });
    // One page for each kind: that of the broadcasts is for the other key.
    expect([whole, reads - whole]).toEqual([3, 2]);
    await database.transaction(async (unit) => {
      await unit.update('data', { namespace: 'default', id: item.id }, { blobPublic: 'Qm' });
      await unit.update('batches', { namespace: 'default' }, { state: 'pinned' });
      await unit.update('operations', { namespace: 'default' }, { status: 'Succeeded' });
    });
    await clock.advance(1_400);
    await step();
    expect((await rows('batches')).map(({ type }) => type)).toEqual(['private', 'broadcast']);
  });

  it('give no nonces to broadcasts', async () => {
    const { broadcast, step, rows } = await aSealer();
    await broadcast('a');
    await step();
    expect(await rows('messages')).toMatchObject([{ nonces: null, pins: [topicPin('a')] }]);
    expect([await rows('nonces'), await rows('nextpins')]).toEqual([[], []]);
  });
});

describe('the pace of batches', () => {
  /** Sends `count` broadcasts and runs the step; the pin of a sealed batch ends at once. */
  async function sendAndStep({ broadcast, step, rows, endPin }: Awaited<ReturnType<typeof aSealer>>, count: number) {
    for (let index = 0; index < count; index++) await broadcast('a');
    const { againAfterMs } = await step();
    const batch = (await rows('batches')).find(({ state }) => state === 'sealed');
    if (batch !== undefined) await endPin('Succeeded', batch.id);
    return { isSealed: batch !== undefined, againAfterMs };
  }

  /** Creates a sealer with an interval of 100 ms that has just sealed a large batch after a short time. */
  async function aSteadySealer() {
    const sealer = await aSealer({ batching: { paceMs: 100 } });
    await sendAndStep(sealer, 60);
    await sealer.clock.advance(200);
    expect((await sendAndStep(sealer, 60)).isSealed).toBe(true);
    return sealer;
  }

  it('delays steady traffic until the interval is over, and then seals all of it', async () => {
    const sealer = await aSteadySealer();
    await sealer.clock.advance(95);
    expect(await sendAndStep(sealer, 3)).toEqual({ isSealed: false, againAfterMs: 5 });
    await sealer.clock.advance(5);
    expect(await sendAndStep(sealer, 2)).toEqual({ isSealed: true, againAfterMs: undefined });
    const sizes = (await sealer.rows('batches')).map(({ manifest }) => manifest?.length);
    expect(sizes).toEqual([60, 60, 5]);
  });

  it('seals private messages while broadcasts wait', async () => {
    const sealer = await aSteadySealer();
    await sealer.send(['bob'], ['b']);
    expect(await sendAndStep(sealer, 1)).toEqual({ isSealed: true, againAfterMs: expect.any(Number) });
    expect((await sealer.rows('batches')).map(({ type }) => type)).toEqual(['broadcast', 'broadcast', 'private']);
  });

  it('does not delay a full batch', async () => {
    expect((await sendAndStep(await aSteadySealer(), 201)).isSealed).toBe(true);
  });
});
