import { beforeEach, expect, it } from 'vitest';
import { createMemoryDatabase } from '../../../../../src/adapters/database/memory/memory.js';
import { findCounting, isStillCounted } from '../../../../../src/pipeline/accept/data/counted.js';
import type { Database } from '../../../../../src/ports/database.js';
import type { NewRow } from '../../../../../src/ports/tables/tables.js';
import { aBatchRow, aPinRow } from '../../../../support/batch-rows.js';
import { alice, uuid } from '../../../../support/fixtures.js';

const hashOf = (number: number) => number.toString(16).padStart(64, '0');
const counted = [{ id: uuid(1), hash: hashOf(1), author: alice.did }];
const manifest = [{ id: uuid(1), hash: hashOf(1), topics: 1 }];

let database: Database;
beforeEach(() => {
  database = createMemoryDatabase();
});

it('finds a held batch as long as one of its pins is unspent', async () => {
  await insert(1, { state: 'held', manifest });
  const { batches } = await findCounting(database, counted, 0);
  expect(await isStillCounted(database, batches, counted)).toBe(true);
  await database.transaction(async (unit) => void (await unit.update('pins', { spent: false }, { spent: true })));
  expect(await isStillCounted(database, batches, counted)).toBe(false);
  expect((await findCounting(database, counted, 0)).batches).toEqual([]);
});

it('finds a batch whose payload arrives between the search and the unit', async () => {
  await insert(1, { state: 'wanted', manifest: null });
  const { batches } = await findCounting(database, counted, 0);
  expect(await isStillCounted(database, batches, counted)).toBe(false);
  await database.transaction(async (unit) => {
    await unit.update('batches', { sequence: 1 }, { state: 'held', manifest });
  });
  expect(await isStillCounted(database, batches, counted)).toBe(true);
});

it('searches all batches of the authors page by page, and continues after the newest', async () => {
  for (let number = 1; number <= 120; number++) await insert(number, { state: 'held', manifest: [] });
  await insert(121, { state: 'held', manifest });
  const { batches, newest } = await findCounting(database, counted, 0);
  expect(batches.map(({ id }) => id)).toEqual([uuid(1_121)]);
  expect(await findCounting(database, counted, newest)).toEqual({ batches: [], newest });
  await insert(122, { state: 'held', manifest });
  expect((await findCounting(database, counted, newest)).batches.map(({ id }) => id)).toEqual([uuid(1_122)]);
});

it('skips a batch with other messages, a void batch and a batch of another author', async () => {
  await insert(1, { state: 'held', manifest: [{ id: uuid(1), hash: hashOf(2), topics: 1 }] });
  await insert(2, { state: 'void', manifest });
  await insert(3, { state: 'held', manifest, author: 'did:parley:org/bob' });
  expect((await findCounting(database, counted, 0)).batches).toEqual([]);
});

async function insert(number: number, changes: Partial<NewRow<'batches'>>): Promise<void> {
  const batch = aBatchRow(number, changes);
  await database.transaction(async (unit) => {
    await unit.insert('batches', [batch]);
    await unit.insert('pins', [aPinRow(batch, hashOf(number), 0, number)]);
  });
}
