import { expect, it } from 'vitest';
import { createMemoryDatabase } from '../../../../../src/adapters/database/memory/memory.js';
import { systemNamespace } from '../../../../../src/domain/network/identity.js';
import { isWithinQuota } from '../../../../../src/pipeline/receive/data/blob-quota.js';
import type { Database } from '../../../../../src/ports/database.js';

const peer = 'node of mallory';
const namespace = systemNamespace;
const created = '2026-01-15T10:00:00.000Z';

/** A database in which a peer has announced files, each of 10 bytes, for sources of which some are not pinned. */
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

const within = (database: Database, blob: string, maxUnpinnedBytes = 20, by = peer): Promise<boolean> =>
  isWithinQuota(database, { peer: by, blob, maxUnpinnedBytes });

it('lets files for unpinned batches come until the quota is used up, in the order of their announcement', async () => {
  const database = await announced(
    [...[1, 2, 3].map((n) => [`blob ${n}`, `batch ${n}`] as const)],
    [...'123'].map((n) => `batch ${n}`),
  );
  expect(await Promise.all(['blob 1', 'blob 2', 'blob 3'].map((blob) => within(database, blob)))).toEqual([
    true,
    true,
    false,
  ]);
});

it('counts a file once that several unpinned batches need', async () => {
  const database = await announced(
    [
      ['blob 1', 'batch 1'],
      ['blob 1', 'batch 2'],
      ['blob 2', 'batch 2'],
    ],
    ['batch 1', 'batch 2'],
  );
  expect(await within(database, 'blob 2')).toBe(true);
});

it('lets a file come that something pinned needs too, however much is announced', async () => {
  const database = await announced(
    [
      ['blob 1', 'batch 1'],
      ['blob 2', 'batch 1'],
      ['blob 3', 'batch 1'],
      ['blob 3', 'pinned batch'],
    ],
    ['batch 1'],
  );
  expect(await within(database, 'blob 3')).toBe(true);
});

it('lets nothing of a pinned batch use up the quota', async () => {
  const database = await announced(
    [
      ['blob 1', 'pinned batch'],
      ['blob 2', 'pinned batch'],
      ['blob 3', 'batch 1'],
    ],
    ['batch 1'],
  );
  expect(await within(database, 'blob 3')).toBe(true);
});
