import type { Clock } from '../../ports/clock.js';
import type { Database } from '../../ports/database.js';
import type { Failpoint } from '../../ports/failpoint.js';
import { JudgeError } from '../../ports/judge.js';
import type { Log } from '../../ports/log.js';
import type { Step } from '../loop.js';
import {
  beginAttempt,
  endAttempts,
  markWaiting,
  maxAttempts,
  readAttempts,
  releaseAttempts,
  takeBack,
} from './attempts.js';
import type { Need } from './need.js';
import { createQueue, type Queue } from './queue.js';

/** Makes the judgements that contexts wait for, one at a time, in the background. */
export interface Judging {
  /** Queues judgements, unless they are queued or held already. */
  add(needs: readonly Need[]): void;
  step(signal: AbortSignal): Promise<Step>;
  /** Reads the attempts of earlier runs. */
  load(): Promise<void>;
  /** Allows held judgements to be tried after the next start; called on an orderly stop. */
  release(): Promise<void>;
}

export interface JudgingParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly failpoint: Failpoint;
}

/** Time limits of successive attempts. Retries go after new judgements, so they may take longer. */
const limitsMs = [30_000, 120_000, 600_000] as const;

/**
 * Creates the queue of judgements. Each attempt is counted on disk before it begins, so that one that crashes the node
 * or never ends is known after a restart. After three attempts the judgement is held: nothing is decided, its contexts
 * wait, and the node keeps running.
 */
export function createJudging(parts: JudgingParts): Judging {
  const { database } = parts;
  const queue = createQueue();
  return {
    add: queue.add,

    async step(signal) {
      const overflow = queue.takeOverflow();
      if (overflow.length > 0) {
        try {
          await database.transaction((unit) => markWaiting(unit, overflow));
        } catch (error) {
          queue.overflow(overflow);
          throw error;
        }
        return { hasWorked: true, rings: ['due'] };
      }
      const next = queue.next();
      if (next === undefined) return { hasWorked: false, rings: [] };
      if (!next.isJudged) {
        const end = await attempt(parts, queue, next.need, signal);
        if (end !== 'judged') return { hasWorked: end === 'failed', rings: [] };
        next.isJudged = true;
      }
      const { key } = next.need;
      await database.transaction((unit) => endAttempts(unit, key));
      queue.remove(key);
      return { hasWorked: true, rings: ['due'] };
    },

    async load() {
      for (const { key, attempts } of await readAttempts(database)) queue.setAttempts(key, attempts);
    },

    async release() {
      const held = queue.held();
      if (held.length > 0) await database.transaction((unit) => releaseAttempts(unit, held));
    },
  };
}

async function attempt(
  { database, clock, log, failpoint }: JudgingParts,
  queue: Queue,
  need: Need,
  signal: AbortSignal,
): Promise<'judged' | 'failed' | 'stopped'> {
  const { key, subject, sizeBytes } = need;
  if (queue.attemptsOf(key) >= maxAttempts) {
    log.error('A judgement is held: it crashed this node or did not end', { key, subject, sizeBytes });
    queue.hold(key);
    return 'failed';
  }
  const attempts = await database.transaction((unit) => beginAttempt(unit, need, clock.now()));
  queue.setAttempts(key, attempts);
  await failpoint.reach('judge.mid');
  try {
    await need.judge({ lane: 'verdicts', limitMs: limitsMs[attempts - 1] ?? limitsMs[0], signal });
    return 'judged';
  } catch (error) {
    if (!(error instanceof JudgeError)) throw error;
    if (error.reason === 'stopped') {
      await database.transaction((unit) => takeBack(unit, key));
      return 'stopped';
    }
    log.warn('A judgement did not end', { key, subject, attempts, error: error.message });
    return 'failed';
  }
}
