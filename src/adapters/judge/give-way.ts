import type { ProcessorTimes } from './processor-times.js';

/** Milliseconds of work below which there is no rest. */
const minWorkMs = 2;
/** Length of a rest, as a multiple of the work before it. */
const restRatio = 3;
/** Limits a rest, because the work between two calls may have been longer than intended. */
const maxRestMs = 30;

export interface GiveWayParts {
  /** The times of the calling thread; undefined if the system does not count them. */
  readonly times: () => ProcessorTimes | undefined;
  /** Blocks the calling thread. */
  readonly rest: (ms: number) => void;
}

/**
 * Creates the function that a long judgement calls repeatedly. It rests while the machine has more work than
 * processors, which shows in this thread's waiting for one. A low priority alone does not help the other nodes of a
 * stack: Linux divides the processors among sessions first, and each node has its own.
 */
export function createGiveWay({ times, rest }: GiveWayParts): () => void {
  let before = times();
  return () => {
    const now = times();
    if (before === undefined || now === undefined) return;
    const workedMs = now.usedMs - before.usedMs;
    if (workedMs < minWorkMs) return;
    if (now.waitedMs > before.waitedMs) rest(Math.min(workedMs * restRatio, maxRestMs));
    before = times();
  };
}
