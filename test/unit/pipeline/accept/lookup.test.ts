import { expect, it } from 'vitest';
import { createMemoryDatabase } from '../../../../src/adapters/database/memory/memory.js';
import { createLookup } from '../../../../src/pipeline/accept/lookup.js';
import { newTransaction } from '../../../../src/pipeline/state/chain/transaction-row.js';
import { uuid } from '../../../support/fixtures.js';

const created = '2026-01-15T10:00:00.000Z';

/** Creates a lookup that counts its reads of the database. */
function aDatabase() {
  const database = createMemoryDatabase();
  let reads = 0;
  const insert = (number: number, idempotencyKey: string, namespace = 'default') => {
    const row = newTransaction(namespace, { id: uuid(number), type: 'token_transfer', created, idempotencyKey });
    return database.transaction((unit) => unit.insert('transactions', [row]));
  };
  const lookup = createLookup({
    read: (namespace, keys) => {
      reads += 1;
      return database.rows('transactions', { namespace, idempotencyKey: keys }, { limit: keys.length });
    },
    valueOf: ({ idempotencyKey }) => idempotencyKey,
  });
  const idOf = async (key: string, namespace = 'default') => (await lookup(namespace, key))?.id;
  return { insert, idOf, reads: () => reads };
}

it('answers concurrent requests with one read, each with its own row', async () => {
  const { insert, idOf, reads } = aDatabase();
  for (const number of [1, 2, 3]) await insert(number, `key ${number}`);
  const keys = ['key 3', 'key 1', 'none', 'key 3', 'key 2'];
  expect(await Promise.all(keys.map((key) => idOf(key)))).toEqual([uuid(3), uuid(1), undefined, uuid(3), uuid(2)]);
  expect(reads()).toBe(1);
});

it('finds a value only in its namespace', async () => {
  const { insert, idOf } = aDatabase();
  await insert(1, 'key');
  await insert(2, 'key', 'other');
  const found = await Promise.all([idOf('key'), idOf('key', 'other'), idOf('key', 'third')]);
  expect(found).toEqual([uuid(1), uuid(2), undefined]);
});

it('finds a row that was stored after an earlier request began', async () => {
  const { insert, idOf } = aDatabase();
  const before = idOf('key');
  await insert(1, 'key');
  expect(await idOf('key')).toBe(uuid(1));
  expect(await before).toBeUndefined();
});
