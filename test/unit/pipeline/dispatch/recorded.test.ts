import { expect, it } from 'vitest';
import { createManualClock } from '../../../../src/adapters/clock/manual.js';
import { createMemoryDatabase } from '../../../../src/adapters/database/memory/memory.js';
import { createBus } from '../../../../src/pipeline/bus.js';
import { createUntilRecorded } from '../../../../src/pipeline/dispatch/recorded.js';
import type { OperationStatus } from '../../../../src/ports/tables/tables.js';
import { uuid } from '../../../support/fixtures.js';
import { insert } from '../operations/operations.js';

const [first, second] = [{ id: uuid(1) }, { id: uuid(2) }];

/** Two calls that the chain has taken, read up to block 4. */
async function aScene() {
  const [database, bus, clock] = [createMemoryDatabase(), createBus(), createManualClock()];
  await insert(database, [1, 2], { type: 'token_transfer', status: 'Pending' });
  const end = (id: string, status: OperationStatus = 'Succeeded') =>
    database.transaction((unit) => unit.update('operations', { namespace: 'default', id }, { status }));
  let block = 4;
  const readTo = (to: number) => void (block = to);
  const until = createUntilRecorded({ database, bus, clock, processedBlock: () => block });
  return { until, end, readTo, bus, clock, signal: new AbortController() };
}

it('a call is recorded when the unit that records its event has ended the operation', async () => {
  const { until, end, readTo, bus, signal } = await aScene();
  const outcome = until(first, 5, signal.signal);
  await end(first.id);
  readTo(5);
  bus.ring('blocks');
  expect(await outcome).toBe('recorded');
});

it('it is recorded also when that came before the receipt', async () => {
  const { until, end, readTo, signal } = await aScene();
  await end(first.id);
  readTo(5);
  expect(await until(first, 5, signal.signal)).toBe('recorded');
});

it('it is absent when its block is read and the operation is open', async () => {
  const { until, readTo, signal } = await aScene();
  readTo(5);
  expect(await until(first, 5, signal.signal)).toBe('absent');
});

it('each of several that are looked at together gets its own answer, without a ring, too', async () => {
  const { until, end, readTo, clock, signal } = await aScene();
  const outcomes = Promise.all([until(first, 5, signal.signal), until(second, 5, signal.signal)]);
  await end(second.id, 'Succeeded');
  readTo(5);
  for (let turn = 0; turn < 20; turn++) await clock.advance(100);
  expect(await outcomes).toEqual(['absent', 'recorded']);
});

it('nothing is said of a call before its block is read, whatever else is read', async () => {
  const { until, readTo, bus, clock, signal } = await aScene();
  let outcome = 'none';
  const told = until(first, 6, signal.signal).then((came) => (outcome = came));
  readTo(5);
  bus.ring('blocks');
  await clock.advance(3_000);
  expect(outcome).toBe('none');
  readTo(6);
  bus.ring('blocks');
  expect(await told).toBe('absent');
});

it('nobody waits when the node stops', async () => {
  const { until, signal } = await aScene();
  const outcome = until(first, 5, signal.signal);
  signal.abort();
  expect(await outcome).toBe('stopped');
});
