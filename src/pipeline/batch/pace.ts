import type { Clock } from '../../ports/clock.js';

/**
 * Lets messages of a busy lane gather for a short time before they are sealed, because fewer and fuller batches cost
 * every node less. A message after a pause is never delayed, nor is a sender that waits for each message before it
 * sends the next.
 */
export interface Pace {
  /** Returns the milliseconds for which a lane is left to gather; 0 if its waiting messages should be read. */
  restMs(lane: string): number;

  /**
   * Returns the milliseconds until the lane should be checked again, which gathers until then; 0 to seal its batch now.
   *
   * @param waiting number of messages in the batch if it were sealed now
   */
  waitMs(lane: string, waiting: number): number;

  sealed(lane: string, messages: number): void;

  /** Leaves a lane to gather for a time, because it took long to find none of its messages free. */
  rest(lane: string, forMs: number): void;
}

interface LastBatch {
  readonly sealedMs: number;
  readonly messages: number;
  /** Messages per second, weighted towards the last second. */
  readonly rate: number;
}

interface GatheringLane {
  readonly waiting: number;
  readonly untilMs: number;
}

/**
 * Messages per second from which a lane is paced. At 20 an interval would collect two messages and delay both for
 * little gain.
 */
const minRatePerSecond = 25;
/** Time constant of the average, so that a short burst does not count as steady traffic. */
const memorySeconds = 1;
/**
 * The time between two checks, as a multiple of the usual time between two messages: a batch that has not grown
 * meanwhile is sealed.
 */
const distances = 1.5;
/** Shorter times would save nothing, since a check costs as much as one or two messages. */
const [minSliceMs, maxSliceMs] = [25, 40];

/** @param intervalMs the longest time between two batches of a lane that gathers; 0 disables pacing */
export function createPace({ monotonicMs }: Pick<Clock, 'monotonicMs'>, intervalMs: number): Pace {
  const last = new Map<string, LastBatch>();
  const lanes = new Map<string, GatheringLane>();

  return {
    restMs: (lane) => Math.max(0, (lanes.get(lane)?.untilMs ?? 0) - monotonicMs()),
    waitMs(lane, waiting) {
      const before = last.get(lane);
      if (intervalMs === 0 || before === undefined || before.rate < minRatePerSecond) return 0;
      // Senders that wait for their messages send one each, and no more arrive while these are in flight.
      if (before.messages <= 1) return 0;
      if (waiting <= (lanes.get(lane)?.waiting ?? 0)) return 0;
      const nowMs = monotonicMs();
      const sliceMs = Math.min(maxSliceMs, Math.max(minSliceMs, (distances * 1_000) / before.rate));
      const untilMs = Math.min(nowMs + sliceMs, before.sealedMs + intervalMs);
      lanes.set(lane, { waiting, untilMs });
      return Math.max(0, untilMs - nowMs);
    },
    sealed(lane, messages) {
      const sealedMs = monotonicMs();
      const before = last.get(lane);
      // The time over which the first messages arrived is unknown.
      const seconds = before === undefined ? Infinity : Math.max(0.001, (sealedMs - before.sealedMs) / 1_000);
      const weight = Math.exp(-seconds / memorySeconds);
      const rate = weight * (before?.rate ?? 0) + (1 - weight) * (messages / seconds);
      last.set(lane, { sealedMs, messages, rate });
      lanes.delete(lane);
    },
    rest(lane, forMs) {
      lanes.set(lane, { waiting: 0, untilMs: monotonicMs() + forMs });
    },
  };
}
