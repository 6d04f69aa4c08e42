import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../../src/adapters/clock/manual.js';
import { createSilentLog } from '../../../src/adapters/log/silent.js';
import { assert, InvariantError } from '../../../src/domain/invariant.js';
import { createBus } from '../../../src/pipeline/bus.js';
import { createLoop, type Step } from '../../../src/pipeline/loop.js';
import { createGate, flush } from './event-loop.js';

const done: Step = { hasWorked: false, rings: [] };
const worked: Step = { hasWorked: true, rings: [] };

function aLoop(step: (signal: AbortSignal) => Promise<Step>) {
  const bus = createBus();
  const clock = createManualClock();
  const defects: Error[] = [];
  const loop = createLoop({
    name: 'test',
    bell: 'due',
    step,
    bus,
    clock,
    log: createSilentLog(),
    onDefect: (error) => defects.push(error),
  });
  return { bus, clock, defects, loop };
}

/** Creates a loop whose steps return or throw these in turn, and then find nothing to do. */
function counted(...turns: readonly (Step | Error)[]) {
  const atMs: number[] = [];
  const parts = aLoop(async () => {
    const turn = turns[atMs.length] ?? done;
    atMs.push(parts.clock.monotonicMs());
    if (turn instanceof Error) throw turn;
    return turn;
  });
  return { ...parts, atMs };
}

describe('a loop', () => {
  it('steps while there is work, then rests', async () => {
    const { loop, atMs } = counted(worked, worked, worked);
    expect(loop.isIdle()).toBe(false);
    loop.start();
    await flush();
    expect(atMs).toEqual([0, 0, 0, 0]);
    expect(loop.isIdle()).toBe(true);
    await loop.stop();
  });

  it('repeats the step after the time that a step returns, and is not idle until then', async () => {
    const { loop, atMs, clock } = counted({ ...done, againAfterMs: 70 });
    loop.start();
    await flush();
    expect(loop.isIdle()).toBe(false);
    await clock.advance(70);
    await flush();
    expect(atMs).toEqual([0, 70]);
    expect(loop.isIdle()).toBe(true);
    await loop.stop();
  });

  it('wakes on its own bell and on no other', async () => {
    const { loop, atMs, bus } = counted();
    loop.start();
    await flush();
    bus.ring('events', 'messages', 'operations');
    await flush();
    expect(atMs).toHaveLength(1);
    bus.ring('due');
    await flush();
    expect(atMs).toHaveLength(2);
    loop.wake();
    await flush();
    expect(atMs).toHaveLength(3);
    await loop.stop();
  });

  it('repeats the step when its bell has rung during it', async () => {
    let steps = 0;
    const { loop, bus } = aLoop(async () => {
      steps += 1;
      if (steps === 1) bus.ring('due');
      return done;
    });
    loop.start();
    await flush();
    expect(steps).toBe(2);
    await loop.stop();
  });

  it('rings the bells that a step names', async () => {
    const { loop, bus } = counted({ hasWorked: false, rings: ['events', 'messages'] });
    const waits = (['events', 'messages'] as const).map((bell) => bus.listen(bell).wait(new AbortController().signal));
    loop.start();
    await Promise.all(waits);
    await loop.stop();
  });

  it('repeats the step every five seconds without a bell', async () => {
    const { loop, atMs, clock } = counted();
    loop.start();
    await flush();
    await clock.advance(4_999);
    expect(atMs).toEqual([0]);
    await clock.advance(1);
    await flush();
    expect(atMs).toEqual([0, 5_000]);
    await clock.advance(5_000);
    await flush();
    expect(atMs).toEqual([0, 5_000, 10_000]);
    await loop.stop();
  });

  it('repeats a step that throws after 100 ms, doubling the delay up to ten seconds', async () => {
    const { loop, atMs, clock } = counted(...Array.from({ length: 10 }, () => new Error('the disk is full')));
    loop.start();
    for (let second = 0; second < 60; second++) {
      await flush();
      await clock.advance(1_000);
    }
    const waitedMs = atMs.slice(1, 11).map((ms, index) => ms - (atMs[index] ?? 0));
    expect(waitedMs).toEqual([100, 200, 400, 800, 1_600, 3_200, 6_400, 10_000, 10_000, 10_000]);
    await loop.stop();
  });

  it('resets its back-off after a step that succeeds', async () => {
    const failure = new Error('the disk is full');
    const { loop, atMs, clock } = counted(failure, failure, worked, failure);
    loop.start();
    for (let turn = 0; turn < 10; turn++) {
      await flush();
      await clock.advance(100);
    }
    expect(atMs).toEqual([0, 100, 300, 300, 400]);
    await loop.stop();
  });

  it('is not idle while it backs off', async () => {
    const { loop } = counted(new Error('the disk is full'));
    loop.start();
    await flush();
    expect(loop.isIdle()).toBe(false);
    await loop.stop();
  });

  it('stops permanently at a broken invariant, and reports it once', async () => {
    let steps = 0;
    const { loop, bus, clock, defects } = aLoop(async () => {
      steps += 1;
      assert(steps > 1, 'the first step succeeds');
      return done;
    });
    loop.start();
    await flush();
    bus.ring('due');
    await clock.advance(20_000);
    await flush();
    expect(steps).toBe(1);
    expect(defects).toEqual([expect.any(InvariantError)]);
    expect(loop.isIdle()).toBe(false);
    await loop.stop();
  });

  it('waits for the step in progress when it stops, and begins no other', async () => {
    const gate = createGate<Step>();
    let steps = 0;
    let hasStopped = false;
    const signals: AbortSignal[] = [];
    const { loop, bus } = aLoop((signal) => {
      steps += 1;
      signals.push(signal);
      return gate.passed;
    });
    loop.start();
    await flush();
    const stopped = loop.stop().then(() => (hasStopped = true));
    await flush();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    expect(hasStopped).toBe(false);
    gate.open(worked);
    await stopped;
    bus.ring('due');
    await flush();
    expect(steps).toBe(1);
  });

  it('stops at once while it rests or backs off', async () => {
    const resting = counted();
    const backingOff = counted(new Error('the disk is full'));
    resting.loop.start();
    backingOff.loop.start();
    await flush();
    await resting.loop.stop();
    await backingOff.loop.stop();
    await backingOff.clock.advance(60_000);
    expect(resting.atMs).toHaveLength(1);
    expect(backingOff.atMs).toHaveLength(1);
  });

  it('reports nothing when a step fails because the loop was stopped', async () => {
    const { loop, defects } = aLoop(
      (signal) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(new InvariantError('interrupted')));
        }),
    );
    loop.start();
    await flush();
    await loop.stop();
    expect(defects).toEqual([]);
  });
});
