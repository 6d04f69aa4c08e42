import type { Clock } from '../../ports/clock.js';

/**
 * Lets messages of a busy lane gather for a short time before they are sealed: fewer and fuller batches cost every node
 * less. A message after a quiet moment never waits, nor does a sender that waits for each message before it sends the
 * next.
 */
export interface Pace {
  /**
   * Milliseconds until the next batch of a lane may be sealed; 0 when that is now.
   *
   * @param waiting messages that the batch would have now
   */
  waitMs(lane: string, waiting: number): number;

  /** Notes that a batch was sealed. */
  sealed(lane: string, messages: number): void;
}

interface LastBatch {
  readonly sealedMs: number;
  readonly messages: number;
  /** Messages a second, mostly of the last second. */
  readonly rate: number;
}

interface Gathering {
  readonly waiting: number;
  /** When it was last seen to have grown. */
  readonly grownMs: number;
}

/**
 * Messages a second of a lane from which on it is paced. At 20 a second an interval would hold two messages, and make
 * each of them later for little.
 */
const minRatePerSecond = 25;
/** Seconds after which what a lane has sent counts for a third: a short burst is not steady traffic. */
const memorySeconds = 1;
/** A batch that has not grown for this many times the usual distance of two messages is sealed. */
const maxDistances = 1.5;
const [minQuietMs, maxQuietMs] = [10, 40];

/** @param intervalMs the longest time between two batches of a lane that gathers; 0 = nothing ever waits */
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
      // How long the first messages took to come is not known.
      const seconds = before === undefined ? Infinity : Math.max(0.001, (sealedMs - before.sealedMs) / 1_000);
      const weight = Math.exp(-seconds / memorySeconds);
      const rate = weight * (before?.rate ?? 0) + (1 - weight) * (messages / seconds);
      last.set(lane, { sealedMs, messages, rate });
      gathering.delete(lane);
    },
  };
}
