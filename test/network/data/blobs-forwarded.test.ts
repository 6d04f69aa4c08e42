import { describe, expect, it } from 'vitest';
import { hashOfItem } from '../../../src/domain/hash.js';
import { textOf } from '../../../src/wire/json/json.js';
import type { Blob } from '../../../src/wire/data/data.js';
import type { PayloadData } from '../../../src/wire/messages/batch.js';
import { aMessage, uuid } from '../../support/fixtures.js';
import { bring, groupOf, hashOf, mallory, registerMallory, unpinnedOf } from '../../support/mallory.js';
import {
  blobAt,
  bytesOf,
  inChunks,
  itemAt,
  partiesOf,
  sha256,
  stateAt,
  upload,
  withItem,
} from '../../support/party-blobs.js';
import { type Pipelines, usePipelines } from '../../support/pipelines.js';

const start = usePipelines();

const bytes = bytesOf(100_000);
const hash = sha256(bytes);

/** Sends bob an item of Mallory's with this description of its blob, and the blob. Returns the item's id. */
async function give(network: Pipelines, described: Partial<Blob>): Promise<string> {
  const content = { value: textOf('f'), blob: { hash, size: bytes.length, ...described } };
  const created = '2026-01-15T10:00:00.000Z';
  const item: PayloadData = { id: uuid(3001), validator: 'json', hash: hashOfItem(content), created, ...content };
  const end = await registerMallory(network);
  const group = groupOf(['mallory', 'bob']);
  const labels = { topics: ['orders'], group: hashOf(group) };
  const { key, did: author } = mallory;
  const sealed = aMessage({ id: uuid(1), type: 'private', txtype: 'none', author, key, ...labels }, [item]);
  const message = { header: sealed.header, hash: sealed.hash, data: [...sealed.data] };
  expect(await bring(end, network, 'bob', unpinnedOf(group, { message, data: [item] }))).toMatchObject({
    status: 'stored',
  });
  const peer = { endpoint: 'https://bob', publicKeyHash: '2'.padStart(64, '0') };
  // With another size bob has the blob from elsewhere, since he accepts only the size in the item.
  if (described.size === undefined)
    await end.sendBlob(peer, { hash, sizeBytes: bytes.length, source: sealed.hash }, () => inChunks(bytes));
  await network.settle();
  expect(await stateAt(network.party('bob'), uuid(1))).toBe('confirmed');
  return item.id;
}

describe('a blob of another member that is broadcast', () => {
  it('is put into the shared store first, if its reference there was never tried', async () => {
    const network = await start();
    const { alice, bob, carol } = partiesOf(network);
    const id = await give(network, { public: 'f'.repeat(64) });
    const { header } = await bob.broadcast({ header: { topics: ['files'] }, data: [{ id }] });
    await network.settle();
    for (const party of [alice, bob, carol]) {
      expect(await stateAt(party, header.id)).toBe('confirmed');
      expect((await itemAt(party, id))?.blobPublic).toBe(hash);
      expect((await blobAt(party, hash))?.equals(bytes)).toBe(true);
    }
  });

  it('is published on request, if its reference there was never tried', async () => {
    const network = await start();
    const id = await give(network, { public: 'f'.repeat(64) });
    const { publisher } = network.party('bob').pipeline();
    const item = { namespace: 'default', dataid: id };
    const published = await publisher.publishBlob(item, {}, new AbortController().signal);
    expect(published.blob?.public).toBe(hash);
    expect(network.store.contents.has(hash)).toBe(true);
  });

  it('is not put there again, if it was downloaded from there', async () => {
    const network = await start();
    const { alice, bob, carol } = partiesOf(network);
    const item = await upload(alice, bytes);
    await alice.broadcast(withItem(item));
    await network.settle();
    const { header } = await bob.broadcast(withItem(item, ['again']));
    await network.settle();
    expect(await stateAt(carol, header.id)).toBe('confirmed');
    const uploads = { namespace: 'default', type: 'sharedstorage_upload_blob' } as const;
    expect(await bob.database().rows('operations', uploads, { limit: 10 })).toEqual([]);
  });

  it('is refused if its item gives another size', async () => {
    const network = await start();
    const { bob } = partiesOf(network);
    await upload(bob, bytes);
    const id = await give(network, { size: bytes.length + 1 });
    const refused = { code: 'PY1204', message: expect.stringMatching(/gives .* 100001 bytes.*has 100000/) as string };
    await expect(bob.broadcast({ data: [{ id }] })).rejects.toMatchObject(refused);
    const group = { members: [{ identity: 'alice' }] };
    await expect(bob.pipeline().acceptPrivate('default', { data: [{ id }], group })).rejects.toMatchObject(refused);
  });

  it('can be sent in a new item, which has its true size', async () => {
    const network = await start();
    const { alice, bob } = partiesOf(network);
    await upload(bob, bytes);
    await give(network, { size: bytes.length + 1, public: 'f'.repeat(64) });
    const own = await bob.pipeline().uploader.acceptData('default', { value: textOf('own'), blob: { hash } });
    expect(own.blob).toMatchObject({ hash, size: bytes.length });
    const { header } = await bob.broadcast({ data: [{ id: own.id }] });
    await network.settle();
    expect(await stateAt(alice, header.id)).toBe('confirmed');
  });
});
