import type { Clock } from '../../ports/clock.js';
import { createSleep } from './sleep.js';

export interface ManualClock extends Clock {
  /**
   * Advances the time by `ms` milliseconds: sleepers wake at their own time, in order, and their follow-up work runs
   * before the next one wakes.
   */
  advance(ms: number): Promise<void>;

  /** Changes only the time of day, forward or back, like a corrected system clock. */
  jump(ms: number): void;
}

interface Sleeper {
  readonly wakeAtMs: number;
  readonly wake: () => void;
}

/** Creates a clock that stands still until a test advances it. `start` is an ISO time. */
export function createManualClock({
  start = '2026-01-15T10:00:00.000Z',
}: { readonly start?: string } = {}): ManualClock {
  let elapsedMs = 0;
  let jumpedMs = 0;
  const startMs = Date.parse(start);
  const sleepers = new Set<Sleeper>();

  function earliest(untilMs: number): Sleeper | undefined {
    let found: Sleeper | undefined;
    for (const sleeper of sleepers) {
      if (sleeper.wakeAtMs <= untilMs && (found === undefined || sleeper.wakeAtMs < found.wakeAtMs)) found = sleeper;
    }
    return found;
  }

  return {
    now: () => new Date(startMs + elapsedMs + jumpedMs).toISOString(),
    monotonicMs: () => elapsedMs,

    sleep: createSleep((ms, wake) => {
      const sleeper = { wakeAtMs: elapsedMs + ms, wake };
      sleepers.add(sleeper);
      return () => sleepers.delete(sleeper);
    }),

    async advance(ms) {
      const untilMs = elapsedMs + ms;
      for (let sleeper = earliest(untilMs); sleeper !== undefined; sleeper = earliest(untilMs)) {
        elapsedMs = Math.max(elapsedMs, sleeper.wakeAtMs);
        sleeper.wake();
        await new Promise((resolve) => setImmediate(resolve));
      }
      elapsedMs = Math.max(elapsedMs, untilMs);
    },

    jump(ms) {
      jumpedMs += ms;
    },
  };
}
