import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../../../src/adapters/clock/manual.js';
import { createSilentLog } from '../../../../src/adapters/log/silent.js';
import { createLane } from '../../../../src/pipeline/operations/lane.js';
import { createGate, flush } from '../event-loop.js';

function aLane({ maxInFlight = 3 } = {}) {
  const clock = createManualClock();
  const roomAtMs: number[] = [];
  const onRoom = () => roomAtMs.push(clock.monotonicMs());
  const lane = createLane({ name: 'store', maxInFlight, clock, log: createSilentLog(), onRoom });
  return { lane, clock, roomAtMs };
}

describe('a lane', () => {
  it('has room for a limited number of operations, and reports room only if more are expected', async () => {
    const { lane, roomAtMs } = aLane({ maxInFlight: 2 });
    const gate = createGate<void>();
    expect(lane.room()).toBe(2);
    lane.begin('a', gate.passed);
    lane.begin('b', new Promise(() => undefined));
    expect([lane.room(), lane.inFlight(), lane.isFree('a'), lane.isFree('c')]).toEqual([0, 2, false, true]);
    gate.open();
    await flush();
    expect([lane.room(), lane.inFlight(), lane.isFree('a')]).toEqual([1, 1, false]);
    lane.forgetEnded();
    expect(lane.isFree('a')).toBe(true);
    expect(roomAtMs).toHaveLength(0);
    lane.expectMore();
    lane.begin('c', Promise.resolve());
    await flush();
    expect(roomAtMs).toHaveLength(1);
  });

  it('reports the attempts of an operation and the time until the next one', async () => {
    const { lane, clock } = aLane();
    const gate = createGate<void>();
    expect(lane.attemptsOf('a')).toEqual({ attempts: 0 });
    lane.begin('a', gate.passed);
    expect(lane.attemptsOf('a')).toEqual({ attempts: 1 });
    lane.delay('a');
    gate.open();
    await flush();
    expect(lane.attemptsOf('a')).toEqual({ attempts: 1, nextInMs: 100 });
    await clock.advance(40);
    expect(lane.attemptsOf('a')).toEqual({ attempts: 1, nextInMs: 60 });
    await clock.advance(60);
    lane.begin('a', Promise.resolve());
    lane.delay('a');
    await flush();
    expect(lane.attemptsOf('a')).toEqual({ attempts: 2, nextInMs: 200 });
    lane.backOff('no answer');
    lane.repeat('b');
    expect(lane.attemptsOf('b')).toEqual({ attempts: 1, nextInMs: 100 });
    lane.recover();
    expect(lane.attemptsOf('b')).toEqual({ attempts: 1 });
    lane.forget('a');
    expect(lane.attemptsOf('a')).toEqual({ attempts: 0 });
    await lane.stop();
  });

  it('has no room while its service is unreachable, with delays that double up to ten seconds', async () => {
    const { lane, clock, roomAtMs } = aLane();
    const waitsMs: number[] = [];
    for (let time = 0; time < 9; time++) {
      const sinceMs = clock.monotonicMs();
      lane.backOff('no answer');
      expect(lane.room()).toBe(0);
      while (lane.room() === 0) await clock.advance(100);
      waitsMs.push(clock.monotonicMs() - sinceMs);
      // The room is reported at the moment when it exists.
      expect(roomAtMs.at(-1)).toBe(clock.monotonicMs());
    }
    expect(waitsMs).toEqual([100, 200, 400, 800, 1_600, 3_200, 6_400, 10_000, 10_000]);
  });

  it('delays as long for several operations that fail together as for one', async () => {
    const { lane, clock } = aLane({ maxInFlight: 8 });
    for (let id = 0; id < 8; id++) lane.backOff('no answer');
    await clock.advance(100);
    expect(lane.room()).toBe(8);
    lane.backOff('no answer');
    await clock.advance(199);
    expect(lane.room()).toBe(0);
    await clock.advance(1);
    expect(lane.room()).toBe(8);
  });

  it('reports since when its service is unreachable and the last error, until it answers', async () => {
    const { lane, clock } = aLane();
    expect(lane.away()).toBeUndefined();
    lane.backOff('refused');
    const since = clock.now();
    await clock.advance(100);
    lane.backOff('timed out');
    expect(lane.away()).toEqual({ lane: 'store', since, error: 'timed out' });
    lane.recover();
    expect(lane.away()).toBeUndefined();
    expect(lane.room()).toBe(3);
    lane.backOff('refused');
    await clock.advance(100);
    expect(lane.room()).toBe(3);
  });

  it('delays a single operation, longer each time, until it is done', async () => {
    const { lane, clock } = aLane();
    lane.delay('a');
    expect([lane.isFree('a'), lane.isFree('b'), lane.room()]).toEqual([false, true, 3]);
    await clock.advance(100);
    expect(lane.isFree('a')).toBe(true);
    lane.delay('a');
    await clock.advance(199);
    expect(lane.isFree('a')).toBe(false);
    await clock.advance(1);
    expect(lane.isFree('a')).toBe(true);
    lane.forget('a');
    lane.delay('a');
    await clock.advance(100);
    expect(lane.isFree('a')).toBe(true);
  });

  it('lists the operations to repeat, longest waiting first, without delayed ones and those in progress', async () => {
    const { lane, clock } = aLane();
    for (const id of ['a', 'b', 'c']) lane.delay(id);
    expect(lane.due(3)).toEqual([]);
    await clock.advance(100);
    expect(lane.due(2)).toEqual(['a', 'b']);
    lane.delay('a');
    lane.repeat('b');
    lane.begin('c', new Promise(() => undefined));
    lane.repeat('d');
    expect(lane.due(9)).toEqual(['b', 'd']);
    lane.forget('b');
    await clock.advance(200);
    expect(lane.due(9)).toEqual(['a', 'd']);
  });

  it('stops when no operation is in progress, and ends its delays', async () => {
    const { lane, clock, roomAtMs } = aLane();
    const gate = createGate<void>();
    let hasStopped = false;
    lane.begin('a', gate.passed);
    lane.delay('b');
    lane.backOff('refused');
    const stopped = lane.stop().then(() => (hasStopped = true));
    await flush();
    expect(hasStopped).toBe(false);
    gate.open();
    await stopped;
    const rings = roomAtMs.length;
    await clock.advance(60_000);
    expect(roomAtMs).toHaveLength(rings);
  });
});
