import { describe, expect, it } from 'vitest';
import { sha256 } from '../../../../src/domain/hash.js';
import { groupContext, maskedPin, topicPin } from '../../../../src/domain/messages/pin.js';
import { textOf } from '../../../../src/wire/json/json.js';
import { deskKey, member, own } from '../accept/messages/acceptance.js';
import { aSealer, blob, holdBlob } from './sealer.js';

const data = [{ value: textOf(1) }];

/** The group of a message that was accepted. */
function groupOf({ header }: { readonly header: { readonly group?: string } }): string {
  return header.group ?? '';
}

describe('the sealing of private messages', () => {
  it('gives each topic the next nonce, and keeps pins and nonces with the message', async () => {
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

  it('expects the first pin of every member from then on, once for each context', async () => {
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

  it('goes on with the nonces after its pin is mined', async () => {
    const { send, step, rows, endPin } = await aSealer();
    for (let round = 0; round < 3; round++) {
      await send(['bob'], ['a']);
      await step();
      await endPin('Succeeded', (await rows('batches')).at(-1)?.id ?? '');
    }
    expect((await rows('messages')).map(({ nonces }) => nonces)).toEqual([[0], [1], [2]]);
    expect((await rows('nonces')).map(({ nonce }) => nonce)).toEqual([3]);
  });

  it('puts one group into a batch, and sends each blob to each member beside the envelope', async () => {
    const { acceptPrivate, database, step, rows, operations } = await aSealer();
    const item = await holdBlob(database);
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

  it('leaves alone what goes without a batch', async () => {
    const { acceptPrivate, step, rows } = await aSealer();
    await acceptPrivate('default', { header: { txtype: 'none' }, group: { members: [{ identity: 'bob' }] } });
    expect(await step()).toEqual({ hasWorked: false, rings: [] });
    expect(await rows('batches')).toEqual([]);
  });
});

describe('the lanes of sealing', () => {
  it('seal a broadcast and a private batch of one key side by side', async () => {
    const { broadcast, send, step, rows } = await aSealer();
    await send(['bob'], ['a']);
    await broadcast('a');
    await step();
    expect((await rows('batches')).map(({ type }) => type)).toEqual(['broadcast', 'private']);
  });

  it('hold no private message up while a broadcast is on its way to the store', async () => {
    const { broadcast, send, step, rows } = await aSealer();
    await broadcast('a');
    await step();
    await broadcast('b');
    await send(['bob'], ['a']);
    await step();
    expect((await rows('messages')).map(({ batch }) => batch !== null)).toEqual([true, false, true]);
  });

  it('let everything of a key gather while a pin of it is in flight', async () => {
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

  it('wait behind a pin that has failed for good, but only for its kind', async () => {
    const { broadcast, send, step, rows, endPin } = await aSealer();
    await send(['bob'], ['a']);
    await step();
    await endPin('Failed', (await rows('batches'))[0]?.id ?? '');
    await send(['bob'], ['a']);
    await broadcast('a');
    await step();
    expect((await rows('batches')).map(({ type }) => type)).toEqual(['private', 'broadcast']);
  });

  it('are apart for each key', async () => {
    const { acceptPrivate, send, step, rows } = await aSealer();
    await send(['bob'], ['a']);
    await step();
    const group = { members: [{ identity: 'bob' }] };
    await acceptPrivate('default', { header: { author: 'alice-desk', topics: ['a'] }, group });
    await step();
    const [, desk] = await rows('batches');
    expect(desk).toMatchObject({ signer: deskKey, author: 'did:parley:alice-desk', node: member('alice').node });
  });

  it('do not hide each other, however many messages wait in one', async () => {
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

  it('let held broadcasts wait, however many, and take those that share no topic with them', async () => {
    const { acceptMessage, broadcast, database, step, rows } = await aSealer();
    const item = await holdBlob(database);
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

  it('give broadcasts no nonces', async () => {
    const { broadcast, step, rows } = await aSealer();
    await broadcast('a');
    await step();
    expect(await rows('messages')).toMatchObject([{ nonces: null, pins: [topicPin('a')] }]);
    expect([await rows('nonces'), await rows('nextpins')]).toEqual([[], []]);
  });
});

describe('the pace of batches', () => {
  /** Seals that many broadcasts in one batch, whose pin ends at once. */
  async function sealed({ broadcast, step, rows, endPin }: Awaited<ReturnType<typeof aSealer>>, count: number) {
    for (let index = 0; index < count; index++) await broadcast('a');
    const { againAfterMs } = await step();
    const batch = (await rows('batches')).find(({ state }) => state === 'sealed');
    if (batch !== undefined) await endPin('Succeeded', batch.id);
    return { isSealed: batch !== undefined, againAfterMs };
  }

  /** A sealer with an interval of 100 ms that has just sealed a batch of many in a short time. */
  async function aSteadySealer() {
    const sealer = await aSealer({ batching: { paceMs: 100 } });
    await sealed(sealer, 60);
    await sealer.clock.advance(200);
    expect((await sealed(sealer, 60)).isSealed).toBe(true);
    return sealer;
  }

  it('makes steady traffic wait while more comes, and then seals all that came', async () => {
    const sealer = await aSteadySealer();
    await sealer.clock.advance(95);
    expect(await sealed(sealer, 3)).toEqual({ isSealed: false, againAfterMs: 5 });
    await sealer.clock.advance(5);
    expect(await sealed(sealer, 2)).toEqual({ isSealed: true, againAfterMs: undefined });
    const sizes = (await sealer.rows('batches')).map(({ manifest }) => manifest?.length);
    expect(sizes).toEqual([60, 60, 5]);
  });

  it('lets private messages pass while broadcasts wait', async () => {
    const sealer = await aSteadySealer();
    await sealer.send(['bob'], ['b']);
    expect(await sealed(sealer, 1)).toEqual({ isSealed: true, againAfterMs: expect.any(Number) });
    expect((await sealer.rows('batches')).map(({ type }) => type)).toEqual(['broadcast', 'broadcast', 'private']);
  });

  it('waits for nothing once the batch is full', async () => {
    expect((await sealed(await aSteadySealer(), 201)).isSealed).toBe(true);
  });
});
