import { expect, test } from 'vitest';
import { createMemoryDatabase, createMemoryState } from '../../../../../src/adapters/database/memory/memory.js';
import { maskedPin } from '../../../../../src/domain/messages/pin.js';
import { undoTurns } from '../../../../../src/pipeline/rebuild/messages/turns.js';
import type { PinRow } from '../../../../../src/ports/tables/tables.js';
import { alice, uuid } from '../../../../support/fixtures.js';

const group = 'a'.repeat(64);
const [topic, identity] = ['orders', alice.did];
const pinOf = (nonce: number, of = topic): string => maskedPin(of, group, identity, nonce);

function aPin(context: string, changes: Partial<PinRow> = {}): PinRow {
  return {
    sequence: 1,
    namespace: 'svc_system',
    context,
    masked: true,
    batch: uuid(1),
    batchHash: 'b'.repeat(64),
    signer: alice.key,
    identity,
    index: 0,
    spent: true,
    block: 7,
    created: '2026-01-15T10:00:00.000Z',
    ...changes,
  };
}

/** Returns the expected nonces, by topic, after these pins are undone. */
async function expectedAfter(pins: readonly PinRow[]): Promise<Readonly<Record<string, number>>> {
  const database = createMemoryDatabase(createMemoryState());
  const rows = [
    { topic, nonce: 3 },
    { topic: 'deals', nonce: 1 },
  ].map((row) => ({ ...row, namespace: 'default', context: row.topic, group, identity }));
  await database.transaction(async (unit) => {
    await unit.insert(
      'nextpins',
      rows.map((row) => ({ ...row, hash: pinOf(row.nonce, row.topic) })),
    );
    await undoTurns(unit, pins);
  });
  const found = await database.rows('nextpins', {}, { limit: 10 });
  for (const row of found) expect(row.hash).toBe(pinOf(row.nonce, row.topic));
  return Object.fromEntries(found.map((row) => [row.topic, row.nonce]));
}

test('undone pins make their nonces expected again', async () => {
  expect(await expectedAfter([aPin(pinOf(2))])).toEqual({ orders: 2, deals: 1 });
  expect(await expectedAfter([aPin(pinOf(1)), aPin(pinOf(2)), aPin(pinOf(0, 'deals'))])).toEqual({
    orders: 1,
    deals: 0,
  });
});

test('all nonces of a context may be undone', async () => {
  expect(await expectedAfter([0, 1, 2].map((nonce) => aPin(pinOf(nonce))))).toEqual({ orders: 0, deals: 1 });
});

test('unspent pins, pins that are not masked and pins of other members change nothing', async () => {
  const other = 'did:parley:org/mallory';
  const pins = [{ spent: false }, { masked: false }, { identity: other }].map((changes) => aPin(pinOf(2), changes));
  expect(await expectedAfter(pins)).toEqual({ orders: 3, deals: 1 });
});

test('later pins are unspent again if the pin of a lower nonce is undone', async () => {
  const database = createMemoryDatabase(createMemoryState());
  const place = { namespace: 'default', context: topic, topic, group, identity };
  const kept = [aPin(pinOf(0), { block: 3 }), aPin(pinOf(2), { block: 4 }), aPin(pinOf(3), { block: 4 })];
  await database.transaction(async (unit) => {
    await unit.insert('nextpins', [{ ...place, nonce: 4, hash: pinOf(4) }]);
    await unit.insert(
      'pins',
      kept.map(({ sequence: _, ...row }, index) => ({ ...row, index })),
    );
    await undoTurns(unit, [aPin(pinOf(1))]);
  });
  expect(await database.rows('nextpins', {}, { limit: 2 })).toEqual([
    expect.objectContaining({ nonce: 1, hash: pinOf(1) }),
  ]);
  const pins = await database.rows('pins', {}, { limit: 9 });
  expect(pins.map(({ context, spent }) => [context, spent])).toEqual([
    [pinOf(0), true],
    [pinOf(2), false],
    [pinOf(3), false],
  ]);
});
