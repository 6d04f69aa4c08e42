import { expect, it } from 'vitest';
import { createManualClock } from '../../../src/adapters/clock/manual.js';
import { createThrottle } from '../../../src/pipeline/throttle.js';

/** Creates a throttle, and parts that take the given milliseconds and record when they begin. */
function aThrottle() {
  const clock = createManualClock();
  const throttle = createThrottle(clock);
  const began: number[] = [];
  const run = (ms: number): Promise<number> =>
    throttle.run(async () => {
      const at = began.push(clock.monotonicMs());
      await clock.sleep(ms);
      return at;
    });
  return { clock, throttle, began, run };
}

it('runs parts one at a time, each followed by a pause of five times its length', async () => {
  const { clock, began, run } = aThrottle();
  const results = Promise.all([run(10), run(20), run(1)]);
  await clock.advance(0);
  await clock.advance(1_000);
  expect(began).toEqual([0, 60, 180]);
  expect(await results).toEqual([1, 2, 3]);
});

it('limits the pause after a long part to a quarter of a second', async () => {
  const { clock, began, run } = aThrottle();
  void run(5_000);
  void run(1);
  await clock.advance(0);
  await clock.advance(10_000);
  expect(began).toEqual([0, 5_250]);
});

it('runs the next part after one that fails, and after its pause', async () => {
  const { clock, throttle, began, run } = aThrottle();
  const failed = throttle.run(async () => {
    await clock.sleep(10);
    throw new Error('failed');
  });
  void run(1);
  const rejected = expect(failed).rejects.toThrow('failed');
  await clock.advance(0);
  await clock.advance(1_000);
  await rejected;
  expect(began).toEqual([60]);
});

it('ends the pause when it is stopped', async () => {
  const { clock, throttle, began, run } = aThrottle();
  void run(10);
  const next = run(0);
  await clock.advance(0);
  await clock.advance(10);
  expect(began).toEqual([0]);
  throttle.stop();
  await next;
  expect(began).toEqual([0, 10]);
});
