import { createJudgement, isSmall } from '../../domain/judgement.js';
import type { Judge, JudgeLane } from '../../ports/judge.js';
import type { Log } from '../../ports/log.js';
import { createLane } from './lane.js';
import { answerOf } from './outcome.js';

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
 * Judges in threads, one a lane. A thread is started when it is first needed, since it takes about 26 MiB, and ended
 * when it had nothing to do for a while; one that dies or takes too long costs the question that it was at, and no
 * other.
 */
export function createWorkerJudge({
  log,
  thread = new URL('./thread.js', import.meta.url),
  idleMs = 30_000,
  maxWaiting = 64,
  maxHeapMiB = 512,
}: WorkerOptions): Judge {
  const judge = createJudgement();
  const open = (name: JudgeLane) => createLane({ name, log, thread, idleMs, maxWaiting, maxHeapMiB });
  const lanes = { requests: open('requests'), batches: open('batches'), verdicts: open('verdicts') };
  return {
    now: (kind, input) => (isSmall(kind, input) ? judge(kind, input) : undefined),
    ask: async (kind, input, asking) => answerOf(await lanes[asking.lane].ask({ kind, input }, asking)),
    async close() {
      await Promise.all(Object.values(lanes).map((lane) => lane.close()));
    },
  };
}
