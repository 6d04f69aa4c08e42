import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../../../src/adapters/clock/manual.js';
import { createPace, type Pace } from '../../../../src/pipeline/batch/pace.js';

/** Creates a pace of 100 ms, and a sender with a message rate that seals a batch every `everyMs`. */
function aPace() {
  const clock = createManualClock();
  const pace = createPace(clock, 100);
  const waits: number[] = [];
  const send = async (ratePerSecond: number, everyMs: number, batches: number): Promise<void> => {
    for (let batch = 0; batch < batches; batch++) {
      await clock.advance(everyMs);
      const messages = (ratePerSecond * everyMs) / 1_000;
      waits.push(pace.waitMs('a', messages));
      pace.sealed('a', messages);
    }
  };
  return { clock, pace, waits, send };
}

describe('the pace of a lane', () => {
  it('delays steady traffic while more arrives, until the interval is over', async () => {
    const { clock, pace, send } = aPace();
    await send(100, 20, 1_000);
    const waits: number[] = [];
    for (let waiting = 1; waiting <= 5; waiting++) {
      waits.push(Math.round(pace.waitMs('a', waiting)));
      await clock.advance(25);
    }
    expect(waits).toEqual([25, 25, 25, 25, 0]);
  });

  it('ends the delay when no message has arrived since the last call', async () => {
    const { clock, pace, send } = aPace();
    await send(100, 20, 1_000);
    expect(pace.waitMs('a', 2)).toBe(25);
    expect(pace.restMs('a')).toBe(25);
    await clock.advance(20);
    expect(pace.restMs('a')).toBe(5);
    await clock.advance(5);
    expect([pace.restMs('a'), pace.waitMs('a', 2)]).toEqual([0, 0]);
  });

  it('starts a new delay for each batch', async () => {
    const { clock, pace, send } = aPace();
    await send(100, 20, 1_000);
    pace.waitMs('a', 9);
    await clock.advance(25);
    pace.sealed('a', 9);
    await clock.advance(1);
    expect(pace.restMs('a')).toBe(0);
    expect(pace.waitMs('a', 2)).toBeGreaterThan(0);
  });

  it('does not delay a sender that sends each message after the previous batch', async () => {
    const { waits, send } = aPace();
    await send(50, 20, 100);
    expect(new Set(waits)).toEqual(new Set([0]));
  });

  it('does not delay the first message after a pause, or a burst', async () => {
    const { clock, pace, waits, send } = aPace();
    expect(pace.waitMs('a', 1)).toBe(0);
    pace.sealed('a', 200);
    expect(pace.waitMs('a', 200)).toBe(0);
    await clock.advance(60_000);
    await send(200, 40, 2);
    expect(waits).toEqual([0, 0]);
    await send(200, 40, 60);
    await clock.advance(100);
    expect(pace.waitMs('a', 1)).toBe(0);
  });

  it('does not delay 20 messages a second', async () => {
    const { waits, send } = aPace();
    await send(20, 50, 60);
    await send(20, 100, 60);
    expect(new Set(waits)).toEqual(new Set([0]));
  });

  it('does not delay a lane that has become slow', async () => {
    const { clock, pace, send } = aPace();
    await send(100, 100, 20);
    expect(pace.waitMs('a', 1)).toBeGreaterThan(0);
    await clock.advance(5_000);
    pace.sealed('a', 2);
    expect(pace.waitMs('a', 1)).toBe(0);
  });

  it('measures each lane separately, and does not delay without an interval', async () => {
    const { clock, pace, send } = aPace();
    await send(100, 100, 20);
    const none: Pace = createPace(clock, 0);
    for (let batch = 0; batch < 20; batch++) {
      await clock.advance(100);
      none.sealed('a', 10);
    }
    expect([pace.waitMs('b', 1), none.waitMs('a', 10)]).toEqual([0, 0]);
  });
});
