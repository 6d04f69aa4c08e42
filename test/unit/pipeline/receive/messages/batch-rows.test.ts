import { expect, it } from 'vitest';
import { createMemoryDatabase } from '../../../../../src/adapters/database/memory/memory.js';
import { sealBatch } from '../../../../../src/domain/messages/batch.js';
import { examinePayload } from '../../../../../src/domain/messages/verify.js';
import { putRows, rowsOfBatch, storeAhead } from '../../../../../src/pipeline/receive/messages/batch-rows.js';
import type { Throttle } from '../../../../../src/pipeline/throttle.js';
import type { Database } from '../../../../../src/ports/database.js';
import { aContent, aMessage, anItem } from '../../../../support/fixtures.js';

const number = (value: number): string => `${value}`.padStart(12, '0');

const topicsOf = (count: number): string[] => Array.from({ length: count }, (_, index) => `t${index}`);
let parts = 0;
const throttle: Pick<Throttle, 'run'> = { run: (part) => ((parts += 1), part()) };

/** Returns the rows of a batch of `count` messages with `topics` topics each; two messages share one item. */
function rowsOf(count: number, topics = 1) {
  const items = Array.from({ length: Math.ceil(count / 2) }, (_, index) =>
    anItem({ id: `3d5b8a52-2c1f-4b7e-9f60-${number(index)}`, value: `${index}` }),
  );
  const messages = Array.from({ length: count }, (_, index) =>
    aMessage(
      { id: `9b1f6c2e-7a34-4d0b-8a55-${number(index)}`, topics: topicsOf(topics) },
      items.slice(index >> 1, (index >> 1) + 1),
    ),
  );
  const batch = sealBatch(aContent({ messages, data: items }));
  const examined = examinePayload(batch.payload);
  if (examined.status !== 'read') throw new Error('The payload of the test cannot be read.');
  return rowsOfBatch(examined.payload, { ...batch, txid: aContent().transactionId });
}

async function countsOf(database: Database) {
  const [messages, data] = await Promise.all([
    database.rows('messages', { namespace: 'default' }, { limit: 1_000 }),
    database.rows('data', { namespace: 'default' }, { limit: 1_000 }),
  ]);
  return {
    messages: messages.length,
    data: data.length,
    ready: messages.filter(({ state }) => state === 'ready').length,
  };
}

it('stores a large batch in parts, with each item and message once', async () => {
  const database = createMemoryDatabase();
  let units = 0;
  const counted: Database = { ...database, transaction: (unit) => ((units += 1), database.transaction(unit)) };
  const rows = rowsOf(120);
  expect(rows.data).toHaveLength(60);
  expect(await storeAhead({ database: counted, throttle }, rows)).toEqual({ ...rows, data: [], ahead: rows.data });
  expect(units).toBe(3);
  expect(await countsOf(database)).toEqual({ messages: 120, data: 60, ready: 120 });
});

it('stores a deleted item again if its message was decided with another batch', async () => {
  const database = createMemoryDatabase();
  const rows = await storeAhead({ database, throttle }, rowsOf(120));
  const [first, second] = rows.ahead.map(({ id }) => id);
  const [message] = rows.messages;
  await database.transaction(async (unit) => {
    const decided = { namespace: 'default', id: message?.id ?? '' };
    await unit.update('messages', decided, { state: 'confirmed' });
    await unit.remove('data', { namespace: 'default', id: [first ?? '', second ?? ''] });
  });
  await database.transaction((unit) => putRows(unit, rows));
  const left = await database.rows('data', { namespace: 'default' }, { limit: 1_000 });
  // Undecided messages protect the second item from deletion, so it is not stored again.
  expect(left.map(({ id }) => id).sort()).toEqual(rows.ahead.flatMap(({ id }) => (id === second ? [] : id)).sort());
});

it('completes a large batch that a crash has interrupted', async () => {
  const database = createMemoryDatabase();
  let units = 0;
  const crashing: Database = {
    ...database,
    transaction: (unit) => ((units += 1) === 2 ? Promise.reject(new Error('crashed')) : database.transaction(unit)),
  };
  await expect(storeAhead({ database: crashing, throttle }, rowsOf(120))).rejects.toThrow('crashed');
  expect(await countsOf(database)).toEqual({ messages: 50, data: 25, ready: 50 });
  await storeAhead({ database, throttle }, rowsOf(120));
  expect(await countsOf(database)).toEqual({ messages: 120, data: 60, ready: 120 });
});

it('leaves a small batch to the unit that holds it', async () => {
  const database = createMemoryDatabase();
  const rows = rowsOf(3);
  expect(await storeAhead({ database, throttle }, rows)).toBe(rows);
  expect(await countsOf(database)).toEqual({ messages: 0, data: 0, ready: 0 });
});

it('stores a batch with very many contexts in smaller, throttled parts', async () => {
  const database = createMemoryDatabase();
  parts = 0;
  await storeAhead({ database, throttle }, rowsOf(120, 3));
  expect(parts).toBe(0);
  await storeAhead({ database, throttle }, rowsOf(120, 10));
  expect(parts).toBe(12);
  expect(await countsOf(database)).toMatchObject({ messages: 240, data: 60 });
});
