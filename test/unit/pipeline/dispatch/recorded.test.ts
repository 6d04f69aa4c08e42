import { expect, it } from 'vitest';
import { createManualClock } from '../../../../src/adapters/clock/manual.js';
import { createMemoryDatabase } from '../../../../src/adapters/database/memory/memory.js';
import { createBus } from '../../../../src/pipeline/bus.js';
import { createUntilRecorded } from '../../../../src/pipeline/dispatch/recorded.js';
import type { OperationStatus } from '../../../../src/ports/tables/tables.js';
import { uuid } from '../../../support/fixtures.js';
import { insert } from '../operations/operations.js';

const [first, second] = [{ id: uuid(1) }, { id: uuid(2) }];

/** Creates two mined calls; the chain is read up to block 4. */
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

it('is recorded when the operation has ended and its block is read', async () => {
  const { until, end, readTo, bus, signal } = await aScene();
  const outcome = until(first, 5, signal.signal);
  await end(first.id);
  readTo(5);
  bus.ring('blocks');
  expect(await outcome).toBe('recorded');
});

it('is recorded if the operation ended before the call', async () => {
  const { until, end, readTo, signal } = await aScene();
  await end(first.id);
  readTo(5);
  expect(await until(first, 5, signal.signal)).toBe('recorded');
});

it('is absent if its block is read and the operation is open', async () => {
  const { until, readTo, signal } = await aScene();
  readTo(5);
  expect(await until(first, 5, signal.signal)).toBe('absent');
});

it('answers concurrent calls separately, also without a ring', async () => {
  const { until, end, readTo, clock, signal } = await aScene();
  const outcomes = Promise.all([until(first, 5, signal.signal), until(second, 5, signal.signal)]);
  await end(second.id, 'Succeeded');
  readTo(5);
  for (let turn = 0; turn < 20; turn++) await clock.advance(100);
  expect(await outcomes).toEqual(['absent', 'recorded']);
});

it('does not answer before the block of the call is read', async () => {
  const { until, readTo, bus, clock, signal } = await aScene();
  let outcome = 'none';
  const answered = until(first, 6, signal.signal).then((result) => (outcome = result));
  readTo(5);
  bus.ring('blocks');
  await clock.advance(3_000);
  expect(outcome).toBe('none');
  readTo(6);
  bus.ring('blocks');
  expect(await answered).toBe('absent');
});

it('answers that it stopped when the node stops', async () => {
  const { until, signal } = await aScene();
  const outcome = until(first, 5, signal.signal);
  signal.abort();
  expect(await outcome).toBe('stopped');
});
