import { expect, it } from 'vitest';
import { createMemoryDatabase } from '../../../../../src/adapters/database/memory/memory.js';
import { systemNamespace } from '../../../../../src/domain/network/identity.js';
import { isWithinQuota } from '../../../../../src/pipeline/receive/data/blob-quota.js';
import type { Database } from '../../../../../src/ports/database.js';

const peer = 'node of mallory';
const namespace = systemNamespace;
const created = '2026-01-15T10:00:00.000Z';

/** Creates a database in which a peer has announced files of 10 bytes each; the `unpinned` batches have no pin. */
async function announced(
  claims: readonly (readonly [blob: string, source: string])[],
  unpinned: readonly string[],
): Promise<Database> {
  const database = createMemoryDatabase();
  const of = { batch: '', group: '', groupName: '', groupNamespace: 'default', members: [], sizeBytes: 1, created };
  await database.transaction(async (unit) => {
    await unit.put(
      'candidates',
      unpinned.map((hash) => ({ namespace, hash, peer, ...of })),
    );
    await unit.put(
      'claims',
      claims.map(([blob, source]) => ({ namespace, blob, sizeBytes: 10, peer, source })),
    );
  });
  return database;
}

const isAccepted = (database: Database, blob: string): Promise<boolean> =>
  isWithinQuota(database, { peer, blob, maxUnpinnedBytes: 20 });

it('accepts files of unpinned batches in the order of their announcement until the quota is used up', async () => {
  const database = await announced(
    [...[1, 2, 3].map((n) => [`blob ${n}`, `batch ${n}`] as const)],
    [...'123'].map((n) => `batch ${n}`),
  );
  expect(await Promise.all(['blob 1', 'blob 2', 'blob 3'].map((blob) => isAccepted(database, blob)))).toEqual([
    true,
    true,
    false,
  ]);
});

it('counts a file of several unpinned batches once', async () => {
  const database = await announced(
    [
      ['blob 1', 'batch 1'],
      ['blob 1', 'batch 2'],
      ['blob 2', 'batch 2'],
    ],
    ['batch 1', 'batch 2'],
  );
  expect(await isAccepted(database, 'blob 2')).toBe(true);
});

it('accepts a file that a pinned batch needs too, beyond the quota', async () => {
  const database = await announced(
    [
      ['blob 1', 'batch 1'],
      ['blob 2', 'batch 1'],
      ['blob 3', 'batch 1'],
      ['blob 3', 'pinned batch'],
    ],
    ['batch 1'],
  );
  expect(await isAccepted(database, 'blob 3')).toBe(true);
});

it('does not count files of pinned batches', async () => {
  const database = await announced(
    [
      ['blob 1', 'pinned batch'],
      ['blob 2', 'pinned batch'],
      ['blob 3', 'batch 1'],
    ],
    ['batch 1'],
  );
  expect(await isAccepted(database, 'blob 3')).toBe(true);
});
