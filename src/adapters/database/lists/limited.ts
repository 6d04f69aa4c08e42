import { setTimeout as sleep } from 'node:timers/promises';
import type { Statement } from '../statements/statement.js';

export interface Limit {
  /** The time after which a statement is ended. */
  readonly ms: number;
  /** Ends a statement whose result nobody waits for any more. */
  readonly signal: AbortSignal | undefined;
}

/**
 * The pause after a slice of a list, as a fraction of the slice's time, so that other work of the node can continue.
 */
export const restOfSlices = 0.5;

/** A connection for reads that are ended if they take too long. */
export interface Limited {
  /** Returns the rows of a statement; undefined if it was ended. */
  rows(statement: Statement, limit: Limit): Promise<Record<string, unknown>[] | undefined>;
}

/** An answer and the time it took, without the wait for its turn. */
export interface Timed {
  readonly rows: Record<string, unknown>[];
  readonly tookMs: number;
}

/** A connection whose statements take turns. */
export interface SerialReads {
  /** Returns the answer of a statement; undefined if it was ended, or if nobody waits for it when its turn comes. */
  rows(statement: Statement, limit: Limit): Promise<Timed | undefined>;
}

/**
 * Lets statements through one after the other, in order of arrival.
 *
 * @param rest the pause after each, as a fraction of its time
 */
export function oneAtATime(connection: Limited, rest = 0): SerialReads {
  let last: Promise<unknown> = Promise.resolve();
  return {
    rows(statement, limit) {
      let tookMs = 0;
      const answer = last.then(async () => {
        if (limit.signal?.aborted === true) return undefined;
        const startMs = performance.now();
        const rows = await connection.rows(statement, limit).finally(() => {
          tookMs = performance.now() - startMs;
        });
        return rows && { rows, tookMs };
      });
      const pause = (): Promise<void> | undefined => (rest === 0 ? undefined : sleep(tookMs * rest));
      last = answer.then(pause, pause); // an error is reported to its caller
      return answer;
    },
  };
}
