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
  /** Whether messages come faster than one an interval is worth waiting for. */
  readonly isSteady: boolean;
}

/**
 * Messages a second of a lane from which on it is paced. At 20 a second an interval would hold two messages, and make
 * each of them later for little.
 */
const minRatePerSecond = 25;

/** @param intervalMs 0 = nothing ever waits */
export function createPace({ monotonicMs }: Pick<Clock, 'monotonicMs'>, intervalMs: number): Pace {
  const last = new Map<string, LastBatch>();
  return {
    waitMs(lane) {
      const before = last.get(lane);
      return before?.isSteady === true ? Math.max(0, before.sealedMs + intervalMs - monotonicMs()) : 0;
    },
    sealed(lane, messages) {
      const sealedMs = monotonicMs();
      const before = last.get(lane);
      const seconds = (sealedMs - (before?.sealedMs ?? -Infinity)) / 1_000;
      // A single message says nothing of those that follow.
      const isSteady = intervalMs > 0 && messages > 1 && messages >= minRatePerSecond * seconds;
      last.set(lane, { sealedMs, isSteady });
    },
  };
}
