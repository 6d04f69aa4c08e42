import { describe, expect, it } from 'vitest';
import { every } from '../../../src/ports/tables/where.js';
import { textOf } from '../../../src/wire/json/json.js';
import { codeOfAsync } from '../../support/codes.js';
import {
  blobAt,
  bytesOf,
  inChunks,
  partiesOf,
  sha256,
  stateAt,
  told,
  upload,
  withItem,
} from '../../support/party-blobs.js';
import { type Party, to, usePipelines } from '../../support/pipelines.js';

const start = usePipelines();

describe('a blob of a private message', () => {
  it('reaches every member, and no other party or place', async () => {
    const network = await start();
    const { alice, bob, carol } = partiesOf(network);
    const bytes = bytesOf(300_000);
    const item = await upload(alice, bytes);
    const message = await alice.send({ ...to(['bob'], [], 0), ...withItem(item) });
    await network.pass(1_000);
    expect(await stateAt(bob, message.header.id)).toBe('confirmed');
    expect((await blobAt(bob, sha256(bytes)))?.equals(bytes)).toBe(true);
    expect(await bob.files.list('incoming')).toEqual([]);
    expect(await carol.files.list('blobs')).toEqual([]);
    expect([...network.store.contents.values()].some((content) => content.length >= bytes.length)).toBe(false);
  });

  it('arrives with an unpinned message', async () => {
    const network = await start({ organizations: ['alice', 'bob'] });
    const { alice, bob } = partiesOf(network);
    const bytes = bytesOf(100_000);
    const item = await upload(alice, bytes);
    const request = { ...to(['bob'], [], 0), ...withItem(item) };
    const message = await alice.send({ ...request, header: { ...request.header, txtype: 'none' } });
    network.exchange.cutBlobs('alice', 'bob');
    await network.settle();
    expect(await stateAt(bob, message.header.id)).toBe('ready');
    network.exchange.mendBlobs('alice', 'bob');
    await network.pass(11_000);
    expect(await stateAt(bob, message.header.id)).toBe('confirmed');
    expect((await blobAt(bob, sha256(bytes)))?.equals(bytes)).toBe(true);
  });

  it('delays later messages of its topic at the member that lacks it, and no others', async () => {
    const network = await start();
    const { alice, bob, carol } = partiesOf(network);
    network.exchange.cutBlobs('alice', 'bob');
    const item = await upload(alice, bytesOf(50_000));
    const first = await alice.send({ ...to(['bob', 'carol'], [], 0), ...withItem(item, ['t']) });
    await network.settle();
    const second = await carol.send(to(['alice', 'bob'], ['t'], 2));
    const other = await carol.send(to(['alice', 'bob'], ['u'], 3));
    await network.pass(3_000);
    const states = async (party: Party) =>
      Promise.all([first, second, other].map(({ header }) => stateAt(party, header.id)));
    expect(await states(carol)).toEqual(['confirmed', 'confirmed', 'confirmed']);
    expect(await states(bob)).toEqual(['ready', 'ready', 'confirmed']);
    network.exchange.mendBlobs('alice', 'bob');
    await network.pass(11_000);
    expect(await states(bob)).toEqual(['confirmed', 'confirmed', 'confirmed']);
    expect(await told(bob)).toEqual([other, first, second].map(({ header }) => header.id));
  });

  it.each([0, 1, 65_535, 65_536, 200_000, 299_999])(
    'is resumed where the connection broke, after %i bytes',
    async (after) => {
      const network = await start({ organizations: ['alice', 'bob'] });
      const { alice, bob } = partiesOf(network);
      const bytes = bytesOf(300_000);
      const item = await upload(alice, bytes);
      network.exchange.breakBlobAfter(after);
      const message = await alice.send({ ...to(['bob'], [], 0), ...withItem(item) });
      await network.pass(11_000);
      expect(await stateAt(bob, message.header.id)).toBe('confirmed');
      expect((await blobAt(bob, sha256(bytes)))?.equals(bytes)).toBe(true);
      expect(network.exchange.blobBytes()).toBe(bytes.length);
      expect(await bob.files.list('incoming')).toEqual([]);
    },
  );

  it('is dropped if its bytes are wrong, and sent again', async () => {
    const network = await start({ organizations: ['alice', 'bob'] });
    const { alice, bob } = partiesOf(network);
    const bytes = bytesOf(200_000);
    const item = await upload(alice, bytes);
    network.exchange.spoilBlob();
    const message = await alice.send({ ...to(['bob'], [], 0), ...withItem(item) });
    await network.pass(11_000);
    expect(await stateAt(bob, message.header.id)).toBe('confirmed');
    expect((await blobAt(bob, sha256(bytes)))?.equals(bytes)).toBe(true);
    expect(network.exchange.blobBytes()).toBe(2 * bytes.length);
  });

  it.each(['blob.after-temp', 'blob.after-fsync', 'blob.after-rename', 'blob.after-row'])(
    'is whole after a death of its receiver at %s',
    async (failpoint) => {
      const network = await start({ organizations: ['alice', 'bob'] });
      const { alice, bob } = partiesOf(network);
      const bytes = bytesOf(150_000);
      const item = await upload(alice, bytes);
      bob.dieAt(failpoint);
      const message = await alice.send({ ...to(['bob'], [], 0), ...withItem(item) });
      await network.pass(1_000);
      expect(bob.isAlive()).toBe(false);
      await bob.restart();
      await network.pass(11_000);
      expect(await stateAt(bob, message.header.id)).toBe('confirmed');
      expect((await blobAt(bob, sha256(bytes)))?.equals(bytes)).toBe(true);
      expect(await bob.files.list('incoming')).toEqual([]);
      expect(await bob.files.list('blobs')).toEqual([sha256(bytes)]);
    },
  );

  it('waits while the disk of its receiver is almost full', async () => {
    const network = await start({ organizations: ['alice', 'bob'] });
    const { alice, bob } = partiesOf(network);
    const item = await upload(alice, bytesOf(100_000));
    bob.files.setFreeBytes(512 * 1024 * 1024 + 99_999);
    const message = await alice.send({ ...to(['bob'], [], 0), ...withItem(item) });
    await network.pass(2_000);
    expect(await stateAt(bob, message.header.id)).toBe('ready');
    bob.files.setFreeBytes(512 * 1024 * 1024 + 100_000);
    await network.pass(11_000);
    expect(await stateAt(bob, message.header.id)).toBe('confirmed');
  });
});

describe('what a node takes in', () => {
  it('is nothing once its disk is almost full, even blobs that it has agreed to', async () => {
    const network = await start({ organizations: ['alice', 'bob'] });
    const { alice, bob } = partiesOf(network);
    const bytes = bytesOf(100_000);
    const item = await upload(alice, bytes);
    network.exchange.cutBlobs('alice', 'bob');
    await alice.send({ ...to(['bob'], [], 0), ...withItem(item) });
    await network.settle();
    const bobs = { endpoint: 'https://bob', publicKeyHash: '2'.padStart(64, '0') };
    const again = network.exchange.connect({ endpoint: 'https://alice-again', publicKeyHash: '1'.padStart(64, '0') });
    const bring = (freeBytes: number) =>
      again.sendBlob(bobs, { hash: sha256(bytes), sizeBytes: bytes.length, source: 'x' }, () => {
        bob.files.setFreeBytes(freeBytes);
        return inChunks(bytes);
      });
    expect(await bring(512 * 1024 * 1024 - 1)).toMatchObject({ status: 'later' });
    const [partial = ''] = await bob.files.list('incoming');
    expect(await bob.files.size(`incoming/${partial}`)).toBe(0);
    bob.files.setFreeBytes(Number.MAX_SAFE_INTEGER);
    expect(await bring(512 * 1024 * 1024)).toEqual({ status: 'stored' });
    network.exchange.mendBlobs('alice', 'bob');
    await network.pass(11_000);
  });

  it('is only what an envelope of the same peer has announced', async () => {
    const network = await start();
    const { alice, bob, carol } = partiesOf(network);
    const bytes = bytesOf(10_000);
    const item = await upload(alice, bytes);
    network.exchange.cutBlobs('alice', 'bob');
    await alice.send({ ...to(['bob'], [], 0), ...withItem(item) });
    await network.settle();
    const offer = { hash: sha256(bytes), sizeBytes: bytes.length, source: 'x' };
    const bobs = { endpoint: 'https://bob', publicKeyHash: '2'.padStart(64, '0') };
    const offered = (party: Party, change: object) => {
      const [number] = [network.parties.indexOf(party) + 1];
      const own = { endpoint: `https://${party.name}-again`, publicKeyHash: String(number).padStart(64, '0') };
      return network.exchange.connect(own).sendBlob(bobs, { ...offer, ...change }, () => inChunks(bytes));
    };
    expect(await offered(carol, {})).toMatchObject({ status: 'later' });
    expect(await offered(alice, { hash: '0'.repeat(64) })).toMatchObject({ status: 'later' });
    expect(await offered(alice, { sizeBytes: 9_999 })).toMatchObject({ status: 'refused' });
    expect(await bob.files.list('incoming')).toEqual([]);
    network.exchange.mendBlobs('alice', 'bob');
    await network.pass(11_000);
    expect((await blobAt(bob, sha256(bytes)))?.equals(bytes)).toBe(true);
  });
});

describe('deleting an item', () => {
  it('is refused while its blob is being sent to a member that is away', async () => {
    const network = await start({ organizations: ['alice', 'bob'] });
    const { alice, bob } = partiesOf(network);
    const item = await upload(alice, bytesOf(10_000));
    bob.kill();
    const message = await alice.send({ ...to(['bob'], [], 0), ...withItem(item) });
    await network.pass(1_000);
    expect(await stateAt(alice, message.header.id)).toBe('confirmed');
    const remove = (party: Party) => codeOfAsync(() => party.pipeline().removeData('default', item.id));
    expect(await remove(alice)).toBe('PY1106');
    await bob.restart();
    await network.pass(11_000);
    expect(await stateAt(bob, message.header.id)).toBe('confirmed');
    expect(await remove(alice)).toBeUndefined();
    expect(await alice.files.list('blobs')).toEqual([]);
    expect(await bob.files.list('blobs')).toHaveLength(1);
  });

  it('is refused while an unpinned message that contains it is being sent', async () => {
    const network = await start({ organizations: ['alice', 'bob'] });
    const { alice, bob } = partiesOf(network);
    const { id } = await alice.pipeline().uploader.acceptData('default', { value: textOf(1) });
    network.exchange.cut('alice', 'bob');
    const request = { ...to(['bob'], [], 0), data: [{ id }] };
    const message = await alice.send({ ...request, header: { txtype: 'none' } });
    const remove = () => codeOfAsync(() => alice.pipeline().removeData('default', id));
    expect(await remove()).toBe('PY1106');
    network.exchange.mend('alice', 'bob');
    await network.pass(11_000);
    expect(await stateAt(bob, message.header.id)).toBe('confirmed');
    expect(await remove()).toBeUndefined();
  });

  it.each(['batch_pin', 'none'] as const)(
    'does not take a blob away from a message with %s whose envelope has not come yet',
    async (txtype) => {
      const network = await start({ organizations: ['alice', 'bob'] });
      const { alice, bob } = partiesOf(network);
      const [first, second] = [await upload(alice, bytesOf(10_000)), await upload(alice, bytesOf(10_000))];
      await alice.send({ ...to(['bob'], [], 0), data: [{ id: first.id }] });
      await network.pass(1_000);
      network.exchange.cutEnvelopes('alice', 'bob');
      const message = await alice.send({ ...to(['bob'], [], 1), data: [{ id: second.id }], header: { txtype } });
      await network.pass(11_000);
      await bob.pipeline().removeData('default', first.id);
      expect(await bob.files.list('blobs')).toEqual([]);
      network.exchange.mendEnvelopes('alice', 'bob');
      await network.pass(21_000);
      expect(await stateAt(bob, message.header.id)).toBe('confirmed');
      expect(await bob.files.list('blobs')).toHaveLength(1);
      expect(await alice.database().count('operations', { namespace: every, status: 'Pending' })).toBe(0);
    },
  );

  it.each(['batch_pin', 'none'] as const)(
    'does not keep a sender of a message with %s waiting that has not heard that its blob came',
    async (txtype) => {
      const network = await start({ organizations: ['alice', 'bob'] });
      const { alice, bob } = partiesOf(network);
      const { id } = await upload(alice, bytesOf(10_000));
      network.exchange.loseBlobAnswers(true);
      const message = await alice.send({ ...to(['bob'], [], 0), data: [{ id }], header: { txtype } });
      await network.settle();
      expect(await stateAt(bob, message.header.id)).toBe('confirmed');
      expect(await alice.database().count('operations', { namespace: every, status: 'Pending' })).toBe(1);
      await bob.pipeline().removeData('default', id);
      expect(await bob.files.list('blobs')).toEqual([]);
      network.exchange.loseBlobAnswers(false);
      await network.pass(11_000);
      expect(await alice.database().count('operations', { namespace: every, status: 'Pending' })).toBe(0);
    },
  );
});
