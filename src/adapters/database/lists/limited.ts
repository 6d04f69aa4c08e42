import { setTimeout as sleep } from 'node:timers/promises';
import type { Statement } from '../statements/statement.js';

export interface Limit {
  /** The time after which a statement is ended. */
  readonly ms: number;
  /** Ends a statement that nobody waits for any more. */
  readonly signal: AbortSignal | undefined;
}

/** The pause after a slice of a list, as a part of its time: what else the node does goes on beside it. */
export const restOfSlices = 0.5;

/** A connection for reads that are ended when they take too long. */
export interface Limited {
  /** Returns the rows of a statement; undefined if it was ended. */
  rows(statement: Statement, limit: Limit): Promise<Record<string, unknown>[] | undefined>;
}

/**
 * Lets statements through one after the other, in the order of their arrival; one that nobody waits for is left out.
 *
 * @param rest the pause after each, as a part of its time
 */
export function oneAtATime(connection: Limited, rest = 0): Limited {
  let last: Promise<unknown> = Promise.resolve();
  return {
    rows(statement, limit) {
      let tookMs = 0;
      const answer = last.then(async () => {
        if (limit.signal?.aborted === true) return undefined;
        const startMs = performance.now();
        try {
          return await connection.rows(statement, limit);
        } finally {
          tookMs = performance.now() - startMs;
        }
      });
      const pause = (): Promise<void> | undefined => (rest === 0 ? undefined : sleep(tookMs * rest));
      last = answer.then(pause, pause); // an error is its caller's
      return answer;
    },
  };
}
