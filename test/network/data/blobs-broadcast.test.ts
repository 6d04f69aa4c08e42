import { describe, expect, it } from 'vitest';
import {
  blobAt,
  bytesOf,
  itemAt,
  partiesOf,
  sha256,
  stateAt,
  told,
  upload,
  withItem,
} from '../../support/party-blobs.js';
import { uuid } from '../../support/fixtures.js';
import { forgeItem, pin, registerMallory } from '../../support/mallory.js';
import { about, usePipelines } from '../../support/pipelines.js';
import type { Message } from '../../../src/wire/messages/message.js';

const start = usePipelines();

describe('a blob of a broadcast', () => {
  it('is put into the shared store once, whoever sends its item how often, and read by all other parties', async () => {
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
    const uploads = await alice
      .database()
      .rows('operations', { namespace: 'default', type: 'sharedstorage_upload_blob' }, { limit: 10 });
    expect(uploads.map(({ status }) => status)).toEqual(['Succeeded']);
  });

  it('delays its message and later ones of its topic until it arrives, and no others', async () => {
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

  it('is resumed where the download broke, and after wrong bytes or an absence of the store', async () => {
    const network = await start({ organizations: ['alice', 'bob'] });
    const { alice, bob } = partiesOf(network);
    const bytes = bytesOf(300_000);
    const reference = sha256(bytes);
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

  it('is fetched again when it is found damaged', async () => {
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

  it.each([
    ['under a reference that gives no answer', { public: 'f'.repeat(64) }],
    ['under its own reference with a lesser size', { size: 249_999 }],
    ['under its own reference with a greater size', { size: 250_001 }],
  ])('is read although a hostile member has announced it before %s', async (_, described) => {
    const network = await start({ organizations: ['alice', 'bob'] });
    const { alice, bob } = partiesOf(network);
    await registerMallory(network);
    const bytes = bytesOf(250_000);
    const hash = sha256(bytes);
    network.store.silence('f'.repeat(64));
    await network.store.put(bytes);
    const blob = { hash, size: bytes.length, public: hash, ...described };
    await pin(network, forgeItem({ number: 1, header: { topics: ['hers'] }, value: {}, blob }));
    await expect.poll(() => stateAt(bob, uuid(1))).toBeDefined();
    const message = await alice.broadcast(withItem(await upload(alice, bytes)));
    await expect.poll(() => stateAt(bob, message.header.id)).toBe('confirmed');
    expect((await blobAt(bob, hash))?.equals(bytes)).toBe(true);
    network.store.answerAll();
    await network.pass(11_000);
    expect(await bob.files.list('incoming')).toEqual([]);
  });

  it('is read while the store does not answer for many files of another party', async () => {
    const network = await start();
    const { alice, bob, carol } = partiesOf(network);
    const lost: Message[] = [];
    for (let seed = 1; seed <= 30; seed++) {
      const bytes = bytesOf(100, seed);
      network.store.silence(sha256(bytes));
      lost.push(await alice.broadcast(withItem(await upload(alice, bytes))));
    }
    await expect.poll(() => stateAt(carol, lost.at(-1)?.header.id ?? '')).toBeDefined();
    const message = await bob.broadcast(withItem(await upload(bob, bytesOf(100_000)), ['other']));
    await expect.poll(() => stateAt(carol, message.header.id)).toBe('confirmed');
    network.store.answerAll();
    await network.pass(11_000);
    for (const { header } of lost) expect(await stateAt(carol, header.id)).toBe('confirmed');
  });

  it('is read although a party for whose files the store does not answer has announced it too', async () => {
    const network = await start({ organizations: ['alice', 'bob'] });
    const { alice, bob } = partiesOf(network);
    await registerMallory(network);
    const files = Array.from({ length: 10 }, (_, index) => bytesOf(100, index + 1));
    const bytes = bytesOf(100_000);
    for (const each of files) {
      await network.store.put(each);
      network.store.silence(sha256(each));
    }
    for (const [index, each] of [...files, bytes].entries()) {
      const blob = { hash: sha256(each), size: each.length, public: sha256(each) };
      await pin(network, forgeItem({ number: index + 1, header: { topics: ['hers'] }, value: {}, blob }));
    }
    await expect.poll(() => stateAt(bob, uuid(11))).toBeDefined();
    const message = await alice.broadcast(withItem(await upload(alice, bytes)));
    await expect.poll(() => stateAt(bob, message.header.id)).toBe('confirmed');
    network.store.answerAll();
    await network.pass(11_000);
  });

  it('is fetched again while the store does not answer for many lost files of another party', async () => {
    const network = await start();
    const { alice, bob, carol } = partiesOf(network);
    const lose = async (bytes: Buffer) => {
      carol.files.damage(`blobs/${sha256(bytes)}`, 5);
      await expect(blobAt(carol, sha256(bytes))).rejects.toMatchObject({ name: 'BlobDamaged' });
    };
    const [hers, his] = [Array.from({ length: 30 }, (_, index) => bytesOf(100, index + 1)), bytesOf(100_000)];
    for (const bytes of hers) await alice.broadcast(withItem(await upload(alice, bytes)));
    await bob.broadcast(withItem(await upload(bob, his)));
    await network.settle();
    for (const bytes of hers) {
      network.store.silence(sha256(bytes));
      await lose(bytes);
    }
    await lose(his);
    await expect.poll(async () => (await blobAt(carol, sha256(his)))?.equals(his)).toBe(true);
    network.store.answerAll();
    await network.pass(11_000);
    for (const bytes of hers) expect((await blobAt(carol, sha256(bytes)))?.equals(bytes)).toBe(true);
  });
});
