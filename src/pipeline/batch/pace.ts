import type { Clock } from '../../ports/clock.js';

/**
 * Makes a key with steady traffic wait with its next batch until a short interval has passed since its last: fewer and
 * fuller batches cost every node less. A message after a quiet moment never waits.
 */
export interface Pace {
  /** Milliseconds until the next batch of a lane may be sealed; 0 when that is now. */
  waitMs(lane: string): number;
  sealed(lane: string, messages: number): void;
}

interface LastBatch {
  readonly sealedMs: number;
  /** Messages a second, mostly of the last second. */
  readonly rate: number;
}

/**
 * Messages a second of a lane from which on it is paced. At 20 a second an interval would hold two messages, and make
 * each of them later for little.
 */
const minRatePerSecond = 25;
/** Seconds after which what a lane has sent counts for a third: a short burst is not steady traffic. */
const memorySeconds = 1;

/** @param intervalMs 0 = nothing ever waits */
export function createPace({ monotonicMs }: Pick<Clock, 'monotonicMs'>, intervalMs: number): Pace {
  const last = new Map<string, LastBatch>();
  return {
    waitMs(lane) {
      const before = last.get(lane);
      if (intervalMs === 0 || before === undefined || before.rate < minRatePerSecond) return 0;
      return Math.max(0, before.sealedMs + intervalMs - monotonicMs());
    },
    sealed(lane, messages) {
      const sealedMs = monotonicMs();
      const before = last.get(lane);
      // How long the first messages took to come is not known.
      const seconds = before === undefined ? Infinity : Math.max(0.001, (sealedMs - before.sealedMs) / 1_000);
      const weight = Math.exp(-seconds / memorySeconds);
      const rate = weight * (before?.rate ?? 0) + (1 - weight) * (messages / seconds);
      last.set(lane, { sealedMs, rate });
    },
  };
}
