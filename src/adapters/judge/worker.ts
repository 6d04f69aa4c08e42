import { createJudgement, isSmall } from '../../domain/judgement.js';
import type { Judge, JudgeLane } from '../../ports/judge.js';
import type { Log } from '../../ports/log.js';
import { createLane, type Lane } from './lane.js';
import { answerOf } from './outcome.js';
import { createThreads } from './threads.js';

export interface WorkerOptions {
  readonly log: Log;
  /** The program of the threads; by default that of the built programs. */
  readonly thread?: URL;
  /** How long an idle thread is kept. */
  readonly idleMs?: number;
  /** Maximum number of waiting questions per lane. */
  readonly maxWaiting?: number;
  /** Heap size at which a thread is ended. */
  readonly maxHeapMiB?: number;
}

/**
 * Creates a judge with threads, one for each active lane. A thread is started if none is idle, and ended after it was
 * idle for a while, since it takes about 14 MiB; one that dies or takes too long costs only its current question.
 */
export function createWorkerJudge({
  log,
  thread = new URL('../../bin/thread.js', import.meta.url),
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
