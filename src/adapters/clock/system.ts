import type { Clock } from '../../ports/clock.js';
import { createSleep } from './sleep.js';

/** The machine's clock. A waiting sleep keeps the process alive. */
export function createSystemClock(): Clock {
  return {
    now: () => new Date().toISOString(),
    monotonicMs: () => performance.now(),
    sleep: createSleep((ms, ring) => {
      const timer = setTimeout(ring, ms);
      return () => clearTimeout(timer);
    }),
  };
}
