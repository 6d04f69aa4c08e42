import { expect, it } from 'vitest';
import { createManualClock } from '../../../src/adapters/clock/manual.js';
import { createThrottle } from '../../../src/pipeline/throttle.js';

/** A throttle whose parts take so many milliseconds, and record when they begin. */
function parts() {
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

it('parts run one at a time, and each is followed by a pause of five times its length', async () => {
  const { clock, began, run } = parts();
  const results = Promise.all([run(10), run(20), run(1)]);
  await clock.advance(0);
  await clock.advance(1_000);
  expect(began).toEqual([0, 60, 180]);
  expect(await results).toEqual([1, 2, 3]);
});

it('a part that had to wait for something is followed by a pause of a quarter of a second', async () => {
  const { clock, began, run } = parts();
  void run(5_000);
  void run(1);
  await clock.advance(0);
  await clock.advance(10_000);
  expect(began).toEqual([0, 5_250]);
});

it('a part that fails is followed by its pause, and the next one runs', async () => {
  const { clock, throttle, began, run } = parts();
  const failed = throttle.run(async () => {
    await clock.sleep(10);
    throw new Error('failed');
  });
  void run(1);
  const seen = expect(failed).rejects.toThrow('failed');
  await clock.advance(0);
  await clock.advance(1_000);
  await seen;
  expect(began).toEqual([60]);
});

it('a stop ends the pause, so that nobody who stops waits for it', async () => {
  const { clock, throttle, began, run } = parts();
  void run(10);
  const next = run(0);
  await clock.advance(0);
  await clock.advance(10);
  expect(began).toEqual([0]);
  throttle.stop();
  await next;
  expect(began).toEqual([0, 10]);
});
