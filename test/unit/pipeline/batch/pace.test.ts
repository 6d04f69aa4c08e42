import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../../../src/adapters/clock/manual.js';
import { createPace } from '../../../../src/pipeline/batch/pace.js';

describe('the pace of a lane', () => {
  it('never makes a message wait after a quiet moment', async () => {
    const clock = createManualClock();
    const pace = createPace(clock, 100);
    expect(pace.waitMs('a')).toBe(0);
    pace.sealed('a', 200);
    expect(pace.waitMs('a')).toBe(0);
    await clock.advance(40);
    pace.sealed('a', 2);
    expect(pace.waitMs('a')).toBe(100);
    await clock.advance(1_000);
    expect(pace.waitMs('a')).toBe(0);
    pace.sealed('a', 5);
    expect(pace.waitMs('a')).toBe(0);
  });

  it('leaves single messages alone, and what comes 20 times a second', async () => {
    const clock = createManualClock();
    const pace = createPace(clock, 100);
    for (const messages of [1, 1, 2, 2]) {
      await clock.advance(messages * 50);
      pace.sealed('a', messages);
      expect(pace.waitMs('a')).toBe(0);
    }
  });

  it('counts each lane for itself, and does nothing without an interval', async () => {
    const clock = createManualClock();
    const [pace, none] = [createPace(clock, 100), createPace(clock, 0)];
    for (let round = 0; round < 2; round++) {
      await clock.advance(20);
      pace.sealed('a', 10);
      none.sealed('a', 10);
    }
    expect([pace.waitMs('a'), pace.waitMs('b'), none.waitMs('a')]).toEqual([100, 0, 0]);
  });
});
