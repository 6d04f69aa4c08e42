import type { Clock } from '../../ports/clock.js';

/**
 * Lets messages of a busy lane gather for a short time before they are sealed, because fewer and fuller batches cost
 * every node less. A message after a pause is never delayed, nor is a sender that waits for each message before it
 * sends the next.
 */
export interface Pace {
  /**
   * Returns the milliseconds until the next batch of a lane may be sealed; 0 for now.
   *
   * @param waiting messages that the batch would have now
   */
  waitMs(lane: string, waiting: number): number;

  sealed(lane: string, messages: number): void;
}

interface LastBatch {
  readonly sealedMs: number;
  readonly messages: number;
  /** Messages per second, weighted towards the last second. */
  readonly rate: number;
}

interface Gathering {
  readonly waiting: number;
  /** When it was last seen to have grown. */
  readonly grownMs: number;
}

/**
 * Messages per second from which a lane is paced. At 20 an interval would collect two messages and delay both for
 * little gain.
 */
const minRatePerSecond = 25;
/** Time constant of the average, so that a short burst does not count as steady traffic. */
const memorySeconds = 1;
/** A batch that has not grown for this many times the usual distance of two messages is sealed. */
const maxDistances = 1.5;
const [minQuietMs, maxQuietMs] = [10, 40];

/** @param intervalMs the longest time between two batches of a lane that gathers; 0 disables pacing */
export function createPace({ monotonicMs }: Pick<Clock, 'monotonicMs'>, intervalMs: number): Pace {
  const last = new Map<string, LastBatch>();
  const gathering = new Map<string, Gathering>();

  function gather(lane: string, waiting: number, nowMs: number): Gathering {
    const before = gathering.get(lane);
    if (before !== undefined && before.waiting >= waiting) return before;
    const after = { waiting, grownMs: nowMs };
    gathering.set(lane, after);
    return after;
  }

  return {
    waitMs(lane, waiting) {
      const before = last.get(lane);
      if (intervalMs === 0 || before === undefined || before.rate < minRatePerSecond) return 0;
      // Senders that wait for their messages send one each, and nothing comes while these are on their way.
      if (before.messages <= 1) return 0;
      const nowMs = monotonicMs();
      const { grownMs } = gather(lane, waiting, nowMs);
      const quietMs = Math.min(maxQuietMs, Math.max(minQuietMs, (maxDistances * 1_000) / before.rate));
      return Math.max(0, Math.min(before.sealedMs + intervalMs, grownMs + quietMs) - nowMs);
    },
    sealed(lane, messages) {
      const sealedMs = monotonicMs();
      const before = last.get(lane);
      // The time over which the first messages came is unknown.
      const seconds = before === undefined ? Infinity : Math.max(0.001, (sealedMs - before.sealedMs) / 1_000);
      const weight = Math.exp(-seconds / memorySeconds);
      const rate = weight * (before?.rate ?? 0) + (1 - weight) * (messages / seconds);
      last.set(lane, { sealedMs, messages, rate });
      gathering.delete(lane);
    },
  };
}
