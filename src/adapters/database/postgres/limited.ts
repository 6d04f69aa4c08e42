import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { codeOf } from '../../../postgres/problem.js';
import type { Connection } from '../connection.js';
import type { Limit, Limited } from '../lists/limited.js';
import type { Statement } from '../statements/statement.js';
import { retryRead } from './connection.js';
import type { Link } from './link.js';

interface LimitedParts {
  /** The connection of the link; nothing else uses it. */
  readonly connection: Connection;
  /** Another connection, used to end statements whose results nobody waits for any more. */
  readonly aside: Connection;
}

/** The server process of a connection, and the current limit of its statements. */
interface Session {
  readonly pid: number;
  readonly ms: number;
}

const queryCancelled = '57014';
const cancelAgainMs = 100;

/** Creates a connection whose statements the server ends if they take too long, or if nobody waits any more. */
export function limitedOn(link: Link, { connection, aside }: LimitedParts): Limited {
  const sessions = new WeakMap<pg.Client, Session>();

  async function sessionWith(ms: number): Promise<Session> {
    const client = link.current();
    const known = sessions.get(client);
    if (known?.ms === ms) return known;
    const [row] = await connection.rows(setLimit(ms));
    const session = { pid: Number(row?.pid), ms };
    sessions.set(client, session);
    return session;
  }

  return {
    rows: (statement, { ms, signal }) =>
      retryRead(link, async () => {
        const { pid } = await sessionWith(ms);
        const cancelling = cancelOnAbort(signal, () => aside.rows(cancel(pid)));
        try {
          return await connection.rows(statement);
        } catch (error) {
          if (codeOf(error) === queryCancelled) return undefined;
          throw error;
        } finally {
          await cancelling.settled();
        }
      }),
  };
}

function setLimit(ms: number): Statement {
  const sql = `select pg_backend_pid() as "pid", set_config('statement_timeout', ?, false)`;
  return { method: 'raw', sql, bindings: [String(ms)] };
}

function cancel(pid: number): Statement {
  return { method: 'raw', sql: 'select pg_cancel_backend(?)', bindings: [pid] };
}

/**
 * Calls `end` when the signal is aborted, and again until `settled`: a call before the statement has begun has no
 * effect. After `settled` no call is in progress that could end a later statement.
 */
function cancelOnAbort(signal: Limit['signal'], end: () => Promise<unknown>) {
  const done = new AbortController();
  let ending: Promise<void> | undefined;
  const endAgain = async (): Promise<void> => {
    while (!done.signal.aborted) {
      await end().catch(() => undefined); // the next call, or the time limit, ends the statement
      await sleep(cancelAgainMs, undefined, { signal: done.signal }).catch(() => undefined);
    }
  };
  const onAbort = (): void => {
    ending ??= endAgain();
  };
  if (signal?.aborted === true) onAbort();
  else signal?.addEventListener('abort', onAbort, { once: true });
  return {
    async settled(): Promise<void> {
      signal?.removeEventListener('abort', onAbort);
      done.abort();
      await ending;
    },
  };
}
