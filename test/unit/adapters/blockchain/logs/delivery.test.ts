import { expect, test } from 'vitest';
import { createBackOff } from '../../../../../src/adapters/blockchain/logs/delivery.js';
import { createManualClock } from '../../../../../src/adapters/clock/manual.js';

const signal = new AbortController().signal;

/** Waits this many times; resolves with the delays. */
async function delaysOf(count: number, soonMs?: number): Promise<number[]> {
  const delays: number[] = [];
  const sleep = (ms: number) => Promise.resolve(void delays.push(ms));
  const backOff = createBackOff({ ...createManualClock(), sleep }, soonMs === undefined ? {} : { soonMs });
  for (let wait = 0; wait < count; wait += 1) await backOff.wait(signal);
  return delays;
}

test('delays grow to five seconds', async () => {
  expect(await delaysOf(8)).toEqual([100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000]);
});

test('a chain that may be back soon is asked at short intervals first', async () => {
  expect(await delaysOf(9, 500)).toEqual([100, 200, 200, 200, 400, 800, 1_600, 3_200, 5_000]);
});

test('after success the intervals are short again', async () => {
  const delays: number[] = [];
  const sleep = (ms: number) => Promise.resolve(void delays.push(ms));
  const backOff = createBackOff({ ...createManualClock(), sleep }, { soonMs: 300 });
  for (let wait = 0; wait < 4; wait += 1) await backOff.wait(signal);
  backOff.reset();
  await backOff.wait(signal);
  expect(delays).toEqual([100, 200, 200, 400, 100]);
});
