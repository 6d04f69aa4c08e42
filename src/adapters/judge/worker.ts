import { createJudgement, isSmall } from '../../domain/judgement.js';
import type { Judge, JudgeLane } from '../../ports/judge.js';
import type { Log } from '../../ports/log.js';
import { createLane, type Lane } from './lane.js';
import { answerOf } from './outcome.js';
import { threadProgram } from './program.js';
import { createThreads } from './threads.js';

export interface WorkerOptions {
  readonly log: Log;
  /** The program of the threads; by default the one beside this file. */
  readonly thread?: URL;
  /** How long a thread without work is kept. */
  readonly idleMs?: number;
  /** How many questions wait on a lane. */
  readonly maxWaiting?: number;
  /** What a thread may keep of objects before it is ended. */
  readonly maxHeapMiB?: number;
}

/**
 * Judges in threads, one for each lane that is at work. A thread is started when none without work is there, and ended
 * when it had nothing to do for a while, since it takes about 14 MiB; one that dies or takes too long costs the
 * question that it was at, and no other.
 */
export function createWorkerJudge({
  log,
  thread = threadProgram(import.meta.url),
  idleMs = 30_000,
  maxWaiting = 64,
  maxHeapMiB = 512,
}: WorkerOptions): Judge {
  const judge = createJudgement();
  const threads = createThreads({ log, thread, idleMs, maxHeapMiB });
  const open = (): Lane => createLane(threads, maxWaiting);
  const lanes: Readonly<Record<JudgeLane, Lane>> = {
    requests: open(),
    downloads: open(),
    pinned: open(),
    envelopes: open(),
    verdicts: open(),
  };
  return {
    now: (kind, input) => (isSmall(kind, input) ? judge(kind, input) : undefined),
    ask: async (kind, input, asking) => answerOf(await lanes[asking.lane].ask({ kind, input }, asking)),
    async close() {
      await Promise.all(Object.values(lanes).map((lane) => lane.close()));
      await threads.close();
    },
  };
}
