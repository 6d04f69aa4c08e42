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
  const input = { size: blob.sizeBytes, payloadRef: 'Qm' };
  const operation = { ...anOperation({ type: 'sharedstorage_download_blob', blob: blob.hash, input }), sequence: 1 };
  return { files, database, incoming, download: () => run(operation, AbortSignal.timeout(90_000)) };
}

/** A store that gives the first bytes of every content, and fails then. */
function aFailingStore(first: Uint8Array, error: StoreError): SharedStore {
  return {
    ...createMemoryStore(),
    async *getStream() {
      if (first.length > 0) yield first;
      await Promise.reject(error);
    },
  };
}

/** The first bytes come from the store, and then the connection breaks. */
async function comesInPart(incoming: Incoming, count: number): Promise<void> {
  const broken = (async function* () {
    yield bytes.subarray(0, count);
    await Promise.reject(new Error('the connection broke'));
  })();
  const taken = incoming.take({ blob, source: storeSource, start: 0, bytes: broken }, () => Promise.resolve());
  await expect(taken).rejects.toThrow('the connection broke');
}

/** A store that has the bytes, from where it is asked. */
const wholeStore: SharedStore = {
  ...createMemoryStore(),
  async *getStream(_, { start }) {
    yield await Promise.resolve(bytes.subarray(start));
  },
};

it.each([
  ['notes where it has read all of a blob', 0, { sizeBytes: 16, payloadRef: 'Qm' }],
  ['notes nothing of a reference of which it has read a part, since the rest may be of another', 5, { sizeBytes: 16 }],
] as const)('%s', async (_, had, output) => {
  const { incoming, download } = aDownload(wholeStore);
  if (had > 0) await comesInPart(incoming, had);
  const taken = await download();
  expect(taken.status === 'done' && taken.output.output).toEqual(output);
});

it('leaves no part of a download behind when the blob has come whole from elsewhere', async () => {
  const { files, database, incoming, download } = aDownload();
  await comesInPart(incoming, 5);
  expect(await incoming.bytesHere(blob.hash, storeSource)).toBe(5);
  const created = '2026-01-15T10:00:00.000Z';
  await database.transaction((unit) => unit.insert('blobs', [{ namespace: systemNamespace, ...blob, created }]));
  const { status } = await download();
  expect({ status, left: await files.list('incoming') }).toEqual({ status: 'done', left: [] });
});

it.each([
  ['gives way to others when nothing comes', 'later', 0, 'unavailable'],
  ['gives way to others when the store does not have it', 'not_found', 0, 'unavailable'],
  ['gives way to others when there is more of it than its batch says', 'too_large', 5, 'unavailable'],
  ['goes on soon when a part has come', 'later', 5, 'later'],
  ['waits with all others when the store is away', 'unreachable', 5, 'unreachable'],
] as const)('%s', async (_, reason, comes, status) => {
  const store = aFailingStore(bytes.subarray(0, comes), new StoreError(reason, 'not now'));
  const { download } = aDownload(store);
  expect(await download()).toEqual({ status, error: 'not now' });
});
