import { expect, it } from 'vitest';
import { createGiveWay } from '../../../../src/adapters/judge/give-way.js';
import type { ProcessorTimes } from '../../../../src/adapters/judge/processor-times.js';

/** A thread that works, and waits for a processor, for a number of milliseconds before each call. */
function workingThread() {
  let times: ProcessorTimes | undefined = { usedMs: 0, waitedMs: 0 };
  const rests: number[] = [];
  const giveWay = createGiveWay({ times: () => times, rest: (ms) => rests.push(ms) });
  return {
    rests,
    work(usedMs: number, waitedMs: number) {
      if (times !== undefined) times = { usedMs: times.usedMs + usedMs, waitedMs: times.waitedMs + waitedMs };
      giveWay();
    },
    die() {
      times = undefined;
    },
  };
}

it('a judgement pauses three times as long as it has worked, while it has to wait for a processor', () => {
  const thread = workingThread();
  thread.work(4, 0.5);
  thread.work(2, 3);
  expect(thread.rests).toEqual([12, 6]);
});

it('a judgement that never waits for a processor does not pause', () => {
  const thread = workingThread();
  for (let piece = 0; piece < 10; piece++) thread.work(5, 0);
  expect(thread.rests).toEqual([]);
});

it('short pieces of work add up until there is a reason to pause', () => {
  const thread = workingThread();
  for (let piece = 0; piece < 5; piece++) thread.work(0.5, 0.1);
  expect(thread.rests).toEqual([6]);
});

it('a pause is at most 30 ms, however long the work was', () => {
  const thread = workingThread();
  thread.work(500, 10);
  expect(thread.rests).toEqual([30]);
});

it("without the system's counters there is no pause", () => {
  const thread = workingThread();
  thread.die();
  thread.work(50, 50);
  expect(thread.rests).toEqual([]);
});
