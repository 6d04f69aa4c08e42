import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../../../src/adapters/clock/manual.js';
import { createSilentLog } from '../../../../src/adapters/log/silent.js';
import { createLane } from '../../../../src/pipeline/operations/lane.js';
import { createGate, flush } from '../event-loop.js';

function aLane({ maxInFlight = 3 } = {}) {
  const clock = createManualClock();
  const rungAtMs: number[] = [];
  const onRoom = () => rungAtMs.push(clock.monotonicMs());
  const lane = createLane({ name: 'store', maxInFlight, clock, log: createSilentLog(), onRoom });
  return { lane, clock, rungAtMs };
}

describe('a lane', () => {
  it('has room for as many as may be under way, and tells of an end when more was waiting', async () => {
    const { lane, rungAtMs } = aLane({ maxInFlight: 2 });
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
    expect(rungAtMs).toHaveLength(0);
    lane.expectMore();
    lane.begin('c', Promise.resolve());
    await flush();
    expect(rungAtMs).toHaveLength(1);
  });

  it('knows how often an operation was tried, and how long it waits for the next time', async () => {
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
    lane.backOff('nobody answers');
    lane.repeat('b');
    expect(lane.attemptsOf('b')).toEqual({ attempts: 1, nextInMs: 100 });
    lane.recover();
    expect(lane.attemptsOf('b')).toEqual({ attempts: 1 });
    lane.forget('a');
    expect(lane.attemptsOf('a')).toEqual({ attempts: 0 });
    await lane.stop();
  });

  it('has no room while its other end is away, longer each time, up to ten seconds', async () => {
    const { lane, clock, rungAtMs } = aLane();
    const waitsMs: number[] = [];
    for (let time = 0; time < 9; time++) {
      const sinceMs = clock.monotonicMs();
      lane.backOff('nobody answers');
      expect(lane.room()).toBe(0);
      while (lane.room() === 0) await clock.advance(100);
      waitsMs.push(clock.monotonicMs() - sinceMs);
      // Room is announced at the moment at which it is there.
      expect(rungAtMs.at(-1)).toBe(clock.monotonicMs());
    }
    expect(waitsMs).toEqual([100, 200, 400, 800, 1_600, 3_200, 6_400, 10_000, 10_000]);
  });

  it('says since when its other end is away and what it said last, until it answers', async () => {
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

  it('delays one operation alone, longer each time, and forgets it when it is done', async () => {
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

  it('names what is to be tried again, what waits longest first, nothing that is delayed or under way', async () => {
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

  it('stops when nothing is under way, and ends its delays', async () => {
    const { lane, clock, rungAtMs } = aLane();
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
    const rings = rungAtMs.length;
    await clock.advance(60_000);
    expect(rungAtMs).toHaveLength(rings);
  });
});
