import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../../../src/adapters/clock/manual.js';
import { createPace, type Pace } from '../../../../src/pipeline/batch/pace.js';

/** A pace of 100 ms, and a sender whose messages come at a rate, each batch after so many milliseconds. */
function aPace() {
  const clock = createManualClock();
  const pace = createPace(clock, 100);
  const waits: number[] = [];
  const send = async (ratePerSecond: number, everyMs: number, batches: number): Promise<void> => {
    for (let batch = 0; batch < batches; batch++) {
      await clock.advance(everyMs);
      waits.push(pace.waitMs('a'));
      pace.sealed('a', (ratePerSecond * everyMs) / 1_000);
    }
  };
  return { clock, pace, waits, send };
}

describe('the pace of a lane', () => {
  it('makes steady traffic wait, also that of single messages, until the interval is over', async () => {
    const { clock, pace, send } = aPace();
    await send(50, 20, 60);
    expect(pace.waitMs('a')).toBe(100);
    await clock.advance(30);
    expect(pace.waitMs('a')).toBe(70);
    await clock.advance(70);
    expect(pace.waitMs('a')).toBe(0);
  });

  it('never makes a message wait after a quiet moment, nor a burst', async () => {
    const { clock, pace, waits, send } = aPace();
    expect(pace.waitMs('a')).toBe(0);
    pace.sealed('a', 200);
    expect(pace.waitMs('a')).toBe(0);
    await clock.advance(60_000);
    await send(200, 40, 2);
    expect(waits).toEqual([0, 0]);
    await send(200, 40, 60);
    await clock.advance(100);
    expect(pace.waitMs('a')).toBe(0);
  });

  it('leaves what comes 20 times a second alone', async () => {
    const { waits, send } = aPace();
    await send(20, 50, 60);
    await send(20, 100, 60);
    expect(new Set(waits)).toEqual(new Set([0]));
  });

  it('lets go of a lane that has become slow', async () => {
    const { clock, pace, send } = aPace();
    await send(100, 100, 20);
    expect(pace.waitMs('a')).toBe(100);
    await clock.advance(5_000);
    pace.sealed('a', 1);
    expect(pace.waitMs('a')).toBe(0);
  });

  it('counts each lane for itself, and does nothing without an interval', async () => {
    const { clock, pace, send } = aPace();
    await send(100, 100, 20);
    const none: Pace = createPace(clock, 0);
    for (let batch = 0; batch < 20; batch++) {
      await clock.advance(100);
      none.sealed('a', 10);
    }
    expect([pace.waitMs('b'), none.waitMs('a')]).toEqual([0, 0]);
  });
});
