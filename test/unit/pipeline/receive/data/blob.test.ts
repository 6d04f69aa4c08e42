import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { createManualClock } from '../../../../../src/adapters/clock/manual.js';
import { createMemoryDatabase } from '../../../../../src/adapters/database/memory/memory.js';
import { createMemoryFiles } from '../../../../../src/adapters/files/memory.js';
import { createSilentLog } from '../../../../../src/adapters/log/silent.js';
import { createSeededRandom } from '../../../../../src/adapters/random/seeded.js';
import { createMemoryStore } from '../../../../../src/adapters/shared-store/memory.js';
import { systemNamespace } from '../../../../../src/domain/network/identity.js';
import { createBlobs } from '../../../../../src/pipeline/blobs/blobs.js';
import { type SharedStore, StoreError } from '../../../../../src/ports/shared-store.js';
import { createBus } from '../../../../../src/pipeline/bus.js';
import { createIncoming, type Incoming, storeSource } from '../../../../../src/pipeline/blobs/incoming.js';
import { createDownloadBlob } from '../../../../../src/pipeline/receive/data/blob.js';
import { anOperation } from '../../../../compliance/database/rows.js';

const bytes = Buffer.from('all of the bytes');
const blob = { hash: createHash('sha256').update(bytes).digest('hex'), sizeBytes: bytes.length };

function aDownload(sharedStore: SharedStore = createMemoryStore()) {
  const files = createMemoryFiles();
  const database = createMemoryDatabase();
  const failpoint = { reach: () => Promise.resolve() };
  const parts = { clock: createManualClock(), random: createSeededRandom(1), log: createSilentLog(), bus: createBus() };
  const blobs = createBlobs({ database, files, failpoint, ...parts });
  const incoming = createIncoming({ files, blobs, failpoint, ...parts, limits: { minFreeBytes: 0 } });
  const run = createDownloadBlob({ database, blobs, incoming, failpoint, ...parts, sharedStore });
  const download = (payloadRef = 'Qm') => {
    const input = { size: blob.sizeBytes, payloadRef };
    const operation = { ...anOperation({ type: 'sharedstorage_download_blob', blob: blob.hash, input }), sequence: 1 };
    return run(operation, AbortSignal.timeout(90_000));
  };
  return { files, database, incoming, download };
}

/** Returns a store that sends the first bytes of each content and then fails. */
function aFailingStore(first: Uint8Array, error: StoreError): SharedStore {
  return {
    ...createMemoryStore(),
    async *getStream() {
      if (first.length > 0) yield first;
      await Promise.reject(error);
    },
  };
}

/** Receives the first bytes from a reference before the connection breaks. */
async function receivePart(incoming: Incoming, first: Uint8Array, reference = 'Qm'): Promise<void> {
  const broken = (async function* () {
    yield first;
    await Promise.reject(new Error('the connection broke'));
  })();
  const transfer = { blob, source: storeSource(reference, blob.sizeBytes), start: 0, bytes: broken };
  await expect(incoming.take(transfer, () => Promise.resolve())).rejects.toThrow('the connection broke');
}

/** A store that sends the bytes from the given start, and never answers for one reference. */
const wholeStore: SharedStore = {
  ...createMemoryStore(),
  async *getStream(reference, { start }) {
    if (reference === 'silent') await new Promise(() => undefined);
    yield await Promise.resolve(bytes.subarray(start));
  },
};

const rest = { start: 5, maxBytes: blob.sizeBytes };
const whole = { status: 'done', output: { output: { sizeBytes: 16, payloadRef: 'Qm' } } };

it('continues a part from the same reference, and counts it as read from there', async () => {
  const { incoming, download } = aDownload(wholeStore);
  await receivePart(incoming, bytes.subarray(0, 5));
  expect(await incoming.bytesHere(blob.hash, storeSource('Qm', blob.sizeBytes))).toBe(5);
  expect(await download()).toMatchObject(whole);
});

it('does not continue a part from another reference, and removes it', async () => {
  const { files, incoming, download } = aDownload(wholeStore);
  await receivePart(incoming, Buffer.from('wrong'), 'other');
  expect(await download()).toMatchObject(whole);
  expect(await files.list('incoming')).toEqual([]);
});

it('does not wait for another reference of the same blob that does not answer', async () => {
  const { download } = aDownload(wholeStore);
  void download('silent');
  expect(await download()).toMatchObject(whole);
});

it('is tried again later if its first part was removed meanwhile', async () => {
  const { incoming } = aDownload();
  const transfer = {
    blob,
    source: storeSource('Qm', blob.sizeBytes),
    start: 5,
    bytes: wholeStore.getStream('Qm', rest),
  };
  expect(await incoming.take(transfer, () => Promise.resolve())).toEqual({ status: 'busy' });
});

it('removes the part of a download when the complete blob has arrived from another source', async () => {
  const { files, database, incoming, download } = aDownload();
  await receivePart(incoming, bytes.subarray(0, 5));
  const created = '2026-01-15T10:00:00.000Z';
  await database.transaction((unit) => unit.insert('blobs', [{ namespace: systemNamespace, ...blob, created }]));
  const { status } = await download();
  expect({ status, left: await files.list('incoming') }).toEqual({ status: 'done', left: [] });
});

it.each([
  ['is unavailable if no byte arrives in time', 'later', 0, 'unavailable'],
  ['is unavailable if the store does not have it', 'not_found', 0, 'unavailable'],
  ['is unavailable if it is larger than its batch says', 'too_large', 5, 'unavailable'],
  ['is tried again soon if a part has arrived', 'later', 5, 'later'],
  ['is unreachable if the store is unreachable', 'unreachable', 5, 'unreachable'],
] as const)('%s', async (_, reason, arriving, status) => {
  const store = aFailingStore(bytes.subarray(0, arriving), new StoreError(reason, 'not now'));
  const { download } = aDownload(store);
  expect(await download()).toEqual({ status, error: 'not now' });
});

it('is unavailable if it is smaller than its batch says', async () => {
  const shortStore: SharedStore = {
    ...createMemoryStore(),
    async *getStream() {
      yield await Promise.resolve(bytes.subarray(0, 5));
    },
  };
  const { download } = aDownload(shortStore);
  expect(await download()).toMatchObject({ status: 'unavailable' });
});

it('stops when the disk is almost full, and continues from there later', async () => {
  let isFull = true;
  const store: SharedStore = {
    ...createMemoryStore(),
    async *getStream(_, { start }) {
      files.setFreeBytes(isFull ? -1 : 100);
      yield await Promise.resolve(bytes.subarray(start));
    },
  };
  const { files, download } = aDownload(store);
  expect(await download()).toMatchObject({ status: 'later' });
  files.setFreeBytes(100);
  isFull = false;
  expect(await download()).toMatchObject(whole);
});

it('is tried again later if a write finds the disk full', async () => {
  const { files, download } = aDownload(wholeStore);
  const { append } = files;
  files.append = () => Promise.reject(Object.assign(new Error('no room'), { code: 'ENOSPC' }));
  expect(await download()).toMatchObject({ status: 'later' });
  files.append = append;
  expect(await download()).toMatchObject(whole);
});
