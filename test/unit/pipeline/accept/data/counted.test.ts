import { beforeEach, expect, it } from 'vitest';
import { createManualClock } from '../../../../../src/adapters/clock/manual.js';
import { createMemoryDatabase } from '../../../../../src/adapters/database/memory/memory.js';
import { findCounting, isStillCounted } from '../../../../../src/pipeline/accept/data/counted.js';
import type { Database } from '../../../../../src/ports/database.js';
import type { NewRow } from '../../../../../src/ports/tables/tables.js';
import { alice, uuid } from '../../../../support/fixtures.js';

const created = createManualClock().now();
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

it('finds a batch whose payload comes between the look and the unit', async () => {
  await insert(1, { state: 'wanted', manifest: null });
  const { batches } = await findCounting(database, counted, 0);
  expect(await isStillCounted(database, batches, counted)).toBe(false);
  await database.transaction(async (unit) => {
    await unit.update('batches', { sequence: 1 }, { state: 'held', manifest });
  });
  expect(await isStillCounted(database, batches, counted)).toBe(true);
});

it('looks at all batches of the authors, a page at a time, and goes on behind the newest', async () => {
  for (let number = 1; number <= 120; number++) await insert(number, { state: 'held', manifest: [] });
  await insert(121, { state: 'held', manifest });
  const { batches, newest } = await findCounting(database, counted, 0);
  expect(batches.map(({ id }) => id)).toEqual([uuid(1_121)]);
  expect(await findCounting(database, counted, newest)).toEqual({ batches: [], newest });
  await insert(122, { state: 'held', manifest });
  expect((await findCounting(database, counted, newest)).batches.map(({ id }) => id)).toEqual([uuid(1_122)]);
});

it('passes by what lists other messages, is void, or is of another author', async () => {
  await insert(1, { state: 'held', manifest: [{ id: uuid(1), hash: hashOf(2), topics: 1 }] });
  await insert(2, { state: 'void', manifest });
  await insert(3, { state: 'held', manifest, author: 'did:parley:org/bob' });
  expect((await findCounting(database, counted, 0)).batches).toEqual([]);
});

type Changes = Pick<NewRow<'batches'>, 'state' | 'manifest'> & Partial<NewRow<'batches'>>;

async function insert(number: number, changes: Changes): Promise<void> {
  const [id, hash, signer] = [uuid(1_000 + number), hashOf(number), alice.key];
  const batch: NewRow<'batches'> = {
    namespace: 'default',
    id,
    hash,
    signer,
    author: alice.did,
    node: alice.node,
    type: 'broadcast',
    group: null,
    txid: uuid(2_000 + number),
    created,
    payloadRef: 'Qm',
    reason: null,
    confirmed: created,
    ...changes,
  };
  const pin: NewRow<'pins'> = {
    namespace: 'svc_system',
    context: hashOf(number),
    masked: false,
    batch: id,
    batchHash: hash,
    signer,
    identity: batch.author,
    index: 0,
    spent: false,
    block: number,
    created,
  };
  await database.transaction(async (unit) => {
    await unit.insert('batches', [batch]);
    await unit.insert('pins', [pin]);
  });
}
