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
import { createBus } from '../../../../../src/pipeline/bus.js';
import { createIncoming, storeSource } from '../../../../../src/pipeline/blobs/incoming.js';
import { createDownloadBlob } from '../../../../../src/pipeline/receive/data/blob.js';
import { anOperation } from '../../../../compliance/database/rows.js';

const bytes = Buffer.from('all of the bytes');
const blob = { hash: createHash('sha256').update(bytes).digest('hex'), sizeBytes: bytes.length };

it('leaves no part of a download behind when the blob has come whole from elsewhere', async () => {
  const files = createMemoryFiles();
  const database = createMemoryDatabase();
  const failpoint = { reach: () => Promise.resolve() };
  const parts = { clock: createManualClock(), random: createSeededRandom(1), log: createSilentLog(), bus: createBus() };
  const blobs = createBlobs({ database, files, failpoint, ...parts });
  const incoming = createIncoming({ files, blobs, failpoint, ...parts, limits: { minFreeBytes: 0 } });
  const broken = (async function* () {
    yield bytes.subarray(0, 5);
    await Promise.reject(new Error('the connection broke'));
  })();
  await expect(
    incoming.take({ blob, source: storeSource, start: 0, bytes: broken }, () => Promise.resolve()),
  ).rejects.toThrow('the connection broke');
  expect(await incoming.bytesHere(blob.hash, storeSource)).toBe(5);
  const created = '2026-01-15T10:00:00.000Z';
  await database.transaction((unit) => unit.insert('blobs', [{ namespace: systemNamespace, ...blob, created }]));
  const download = createDownloadBlob({
    database,
    blobs,
    incoming,
    failpoint,
    ...parts,
    sharedStore: createMemoryStore(),
  });
  const input = { size: blob.sizeBytes, payloadRef: 'Qm' };
  const operation = { ...anOperation({ type: 'sharedstorage_download_blob', blob: blob.hash, input }), sequence: 1 };
  const { status } = await download(operation, AbortSignal.timeout(90_000));
  expect({ status, left: await files.list('incoming') }).toEqual({ status: 'done', left: [] });
});
