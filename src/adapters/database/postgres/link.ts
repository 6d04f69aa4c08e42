import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Log } from '../../../ports/log.js';
import { PostgresProblem } from '../../../postgres/problem.js';
import { LostConnection } from '../../../wire/errors/disk.js';

/** A connection to the server that is reopened whenever it is lost. */
export interface Link {
  /** The connection, if it is open. @throws LostConnection */
  current(): pg.Client;

  /**
   * Waits for a connection; resolves with true if it is another than at the last call.
   *
   * @param limitMs undefined: until `close` @throws LostConnection
   */
  ready(limitMs?: number): Promise<boolean>;

  /** The reason why there is no connection now. */
  problem(): string | undefined;

  close(): Promise<void>;
}

export interface LinkParts {
  /** Opens a connection that can be used. @throws PostgresProblem */
  readonly open: () => Promise<pg.Client>;
  readonly log: Log;
  /** Called if the server no longer has the same database. */
  readonly onForeign: (error: Error) => void;
}

const firstBackOffMs = 50;
const maxBackOffMs = 2_000;
const pollMs = 20;

/** Opens the first connection. A loss and its end are each logged once. @throws PostgresProblem */
export async function createLink({ open, log, onForeign }: LinkParts): Promise<Link> {
  let client: pg.Client | undefined;
  let problem: string | undefined;
  let isNew = false;
  const closing = new AbortController();

  function use(opened: pg.Client): void {
    client = opened;
    problem = undefined;
    const lose = (error?: Error): void => {
      if (client !== opened) return;
      client = undefined;
      if (closing.signal.aborted) return;
      problem = error?.message ?? 'the connection was closed';
      log.warn('The connection to the database is lost; reconnecting', { reason: problem });
      void reopen();
    };
    opened.on('error', lose);
    opened.on('end', lose);
  }

  async function reopen(): Promise<void> {
    const startMs = performance.now();
    let backOffMs = firstBackOffMs;
    while (!closing.signal.aborted) {
      try {
        const opened = await open();
        if (closing.signal.aborted) return await opened.end();
        use(opened);
        isNew = true;
        log.info('The database answers again', { afterMs: Math.round(performance.now() - startMs) });
        return;
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        if (error instanceof PostgresProblem && error.reason === 'foreign') return onForeign(error);
        if (message !== problem) log.warn('There is no connection to the database yet', { reason: message });
        problem = message;
      }
      await sleep(backOffMs, undefined, { signal: closing.signal }).catch(() => undefined);
      backOffMs = Math.min(backOffMs * 2, maxBackOffMs);
    }
  }

  function current(): pg.Client {
    if (client !== undefined) return client;
    throw new LostConnection(problem ?? 'the connection was closed');
  }

  use(await open());

  return {
    current,
    async ready(limitMs = Number.POSITIVE_INFINITY) {
      const untilMs = performance.now() + limitMs;
      while (client === undefined && !closing.signal.aborted && performance.now() < untilMs) await sleep(pollMs);
      current();
      const wasNew = isNew;
      isNew = false;
      return wasNew;
    },
    problem: () => problem,
    async close() {
      closing.abort('closing');
      const open = client;
      client = undefined;
      await open?.end().catch(() => undefined);
    },
  };
}
