import { describe, expect, it } from 'vitest';
import type { Clock } from '../../src/ports/clock.js';

export interface ClockUnderTest {
  readonly clock: Clock;
  /** Lets this much time pass, by the means of this clock. */
  pass(ms: number): Promise<void>;
}

/** The obligations of `ports/clock.ts`. */
export function describeClock(adapter: string, create: () => ClockUnderTest): void {
  describe(`clock: ${adapter}`, () => {
    it('tells the time of day as ISO 8601 with three fractional digits and Z', () => {
      expect(create().clock.now()).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    });

    it('measures the time that passes', async () => {
      const { clock, pass } = create();
      const beforeMs = clock.monotonicMs();
      const before = Date.parse(clock.now());
      await pass(20);
      expect(clock.monotonicMs() - beforeMs).toBeGreaterThanOrEqual(19);
      expect(Date.parse(clock.now())).toBeGreaterThan(before);
    });

    it('wakes a sleeper when its time has passed, and the shorter sleep first', async () => {
      const { clock, pass } = create();
      const woken: string[] = [];
      const startMs = clock.monotonicMs();
      const long = clock.sleep(40).then(() => woken.push('long'));
      const short = clock.sleep(10).then(() => woken.push('short'));
      expect(woken).toEqual([]);
      await pass(60);
      await Promise.all([long, short]);
      expect(woken).toEqual(['short', 'long']);
      expect(clock.monotonicMs() - startMs).toBeGreaterThanOrEqual(39);
    });

    it('runs what is due first when no time has to pass', async () => {
      const turns: string[] = [];
      setImmediate(() => turns.push('due'));
      await create().clock.sleep(0);
      turns.push('sleeper');
      expect(turns).toEqual(['due', 'sleeper']);
    });

    it('wakes a sleeper without an error when the signal is or becomes aborted', async () => {
      const { clock } = create();
      const controller = new AbortController();
      const sleeping = clock.sleep(3_600_000, controller.signal);
      controller.abort();
      await sleeping;
      await clock.sleep(3_600_000, controller.signal);
    });
  });
}
