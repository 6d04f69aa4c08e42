import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createSeededRandom } from '../../src/adapters/random/seeded.js';
import { everyNamespace, type ScopedQuery } from '../../src/ports/database.js';
import type { Data } from '../../src/wire/data.js';
import { textOf } from '../../src/wire/json.js';
import { oldestFirst } from '../../src/wire/query.js';
import { codeOfAsync } from '../support/codes.js';
import { about, type Party, type Pipelines, to, usePipelines } from '../support/pipelines.js';

const start = usePipelines();

/** The third is there only in networks of three. */
function partiesOf(network: Pipelines) {
  return {
    alice: network.party('alice'),
    bob: network.party('bob'),
    get carol() {
      return network.party('carol');
    },
  };
}

/** Bytes that look like chance and are the same in every run. */
function bytesOf(sizeBytes: number, seed = 1): Buffer {
  const random = createSeededRandom(seed);
  return Buffer.from(Array.from({ length: sizeBytes }, () => random.integer(256)));
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

async function* inChunks(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let position = 0; position < bytes.length; position += 65_536) {
    yield bytes.subarray(position, position + 65_536);
  }
}

async function upload(party: Party, bytes: Uint8Array, name = 'file.bin'): Promise<Data> {
  const { incoming, uploader } = party.pipeline();
  const draft = await incoming.draft(inChunks(bytes));
  const fields = new Map([['autometa', 'true']]);
  return uploader.acceptUpload('default', { fields, filename: name, mimetype: 'text/plain', draft });
}

/** The blob on a party's disk, as its rows and files have it. */
async function blobAt(party: Party, hash: string): Promise<Buffer | undefined> {
  const blob = await party.pipeline().blobs.find(hash);
  if (blob === undefined) return undefined;
  const chunks: Uint8Array[] = [];
  for await (const chunk of party.pipeline().blobs.read(blob)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function itemAt(party: Party, id: string) {
  const where = [{ field: 'id', is: 'equal', value: id } as const];
  const query: ScopedQuery = { namespace: everyNamespace, where, sort: oldestFirst, limit: 1 };
  return (await party.database().find('data', query))[0];
}

/** State of a message at a party; undefined while it has none. */
async function stateAt(party: Party, id: string): Promise<string | undefined> {
  const where = [{ field: 'id', is: 'equal', value: id } as const];
  const query: ScopedQuery = { namespace: everyNamespace, where, sort: oldestFirst, limit: 1 };
  return (await party.database().find('messages', query))[0]?.state;
}

/** Ids of the messages that a party has told of, in the order of the events. */
async function told(party: Party): Promise<string[]> {
  const query = { namespace: 'default', where: [], sort: oldestFirst, limit: 100 };
  const events = await party.database().find('events', query);
  return events.filter(({ type }) => type === 'message_confirmed').map(({ reference }) => reference);
}

const withItem = ({ id }: Data, topics: readonly string[] = ['files']) => ({
  header: { topics: [...topics] },
  data: [{ id }],
});

describe('a blob of a private message', () => {
  it('comes to every member, and to nobody and nowhere else', async () => {
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

  it('comes with a message that is not pinned', async () => {
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

  it('holds up later messages of its topic at the member that lacks it, and no other', async () => {
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
    'goes on by itself where the line broke, after %i bytes',
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

  it('is dropped when its bytes are wrong, and comes again', async () => {
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

describe('a blob of a broadcast', () => {
  it('is put into the shared store once, whoever sends its item how often, and read by every other party', async () => {
    const network = await start();
    const { alice, bob, carol } = partiesOf(network);
    const bytes = bytesOf(250_000);
    const item = await upload(alice, bytes);
    const messages = [await alice.broadcast(withItem(item)), await alice.broadcast(withItem(item, ['other']))];
    await network.settle();
    const reference = (await itemAt(alice, item.id))?.blobPublic ?? '';
    expect(network.store.contents.get(reference)?.length).toBe(bytes.length);
    for (const party of [bob, carol]) {
      for (const { header } of messages) expect(await stateAt(party, header.id)).toBe('confirmed');
      expect((await blobAt(party, sha256(bytes)))?.equals(bytes)).toBe(true);
      expect((await itemAt(party, item.id))?.blobPublic).toBe(reference);
    }
    expect(network.store.asked(reference)).toBe(2);
    const uploads = await alice.database().find('operations', {
      namespace: 'default',
      where: [{ field: 'type', is: 'equal', value: 'sharedstorage_upload_blob' }],
      sort: oldestFirst,
      limit: 10,
    });
    expect(uploads.map(({ status }) => status)).toEqual(['Succeeded']);
  });

  it('holds its message and later ones of its topic until it is there, and lets others overtake', async () => {
    const network = await start({ organizations: ['alice', 'bob'] });
    const { alice, bob } = partiesOf(network);
    network.store.keepOutStreams();
    const item = await upload(alice, bytesOf(50_000));
    const first = await alice.broadcast(withItem(item, ['t']));
    const second = await alice.broadcast(about(['t', 'u'], 2));
    const third = await alice.broadcast(about(['u'], 3));
    const other = await alice.broadcast(about(['v'], 4));
    await network.settle();
    expect(await told(bob)).toEqual([other.header.id]);
    network.store.keepOutStreams(false);
    await network.pass(11_000);
    expect(await told(bob)).toEqual([other, first, second, third].map(({ header }) => header.id));
    expect(await told(alice)).toEqual(await told(bob));
  });

  it('goes on by itself where the download broke, and when the store gives wrong bytes or is away', async () => {
    const network = await start({ organizations: ['alice', 'bob'] });
    const { alice, bob } = partiesOf(network);
    const bytes = bytesOf(300_000);
    const reference = createHash('sha256').update(bytes).digest('hex');
    network.store.cutOnce(reference);
    const item = await upload(alice, bytes);
    const message = await alice.broadcast(withItem(item));
    await network.settle();
    network.store.damage(reference);
    await network.pass(3_000);
    network.store.repair(reference);
    await network.pass(11_000);
    expect(await stateAt(bob, message.header.id)).toBe('confirmed');
    expect((await blobAt(bob, sha256(bytes)))?.equals(bytes)).toBe(true);
    expect(await bob.files.list('incoming')).toEqual([]);
  });

  it('is fetched anew when it is found damaged', async () => {
    const network = await start({ organizations: ['alice', 'bob'] });
    const { alice, bob } = partiesOf(network);
    const bytes = bytesOf(100_000);
    const item = await upload(alice, bytes);
    await alice.broadcast(withItem(item));
    await network.settle();
    bob.files.damage(`blobs/${sha256(bytes)}`, 5);
    await expect(blobAt(bob, sha256(bytes))).rejects.toMatchObject({ name: 'BlobDamaged' });
    await network.settle();
    expect((await blobAt(bob, sha256(bytes)))?.equals(bytes)).toBe(true);
  });
});

describe('what a node takes in', () => {
  it('is nothing that no envelope of that very peer has announced', async () => {
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
  it('is refused while its blob is on its way to a member that is away', async () => {
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

  it('is refused while a message without a batch that has it is on its way', async () => {
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
});
