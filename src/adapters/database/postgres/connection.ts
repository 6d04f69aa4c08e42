import type pg from 'pg';
import { DamagedDatabase, ForeignDatabase, LostConnection } from '../../../wire/errors/disk.js';
import type { Connection } from '../connection.js';
import { postgresDialect } from '../dialect/postgres.js';
import type { Statement } from '../statements/statement.js';
import type { Link } from './link.js';
import { refusal } from './refusal.js';
import { createStatementTexts, type StatementTexts } from './statements.js';

/** The time for which a call waits for a lost connection before it is refused. */
export const reconnectLimitMs = 5_000;
/** Maximum number of attempts of a read, each on another connection. */
const maxReads = 4;

export interface Listeners {
  /** Called before each statement. */
  readonly onStatement: () => void;
  /** Called if the server reports that the database is damaged, or was changed by others. */
  readonly onFatal: (error: Error) => void;
}

type Answer = pg.QueryResult<Record<string, unknown>>;

/** The statements of one connection, one after the other; they are refused as soon as it is lost. */
export function connectionOn(link: Link, { onStatement, onFatal }: Listeners): Connection {
  const texts = new WeakMap<pg.Client, StatementTexts>();
  let last: Promise<unknown> = Promise.resolve();
  const run = (statement: Statement): Promise<Answer> => {
    const answer = last.then(() => ask(statement));
    last = answer.catch(() => undefined); // reported to its caller
    return answer;
  };
  const ask = async (statement: Statement): Promise<Answer> => {
    const client = link.current();
    const known = texts.get(client) ?? createStatementTexts();
    texts.set(client, known);
    onStatement();
    try {
      return await client.query<Record<string, unknown>>(known.config(statement));
    } catch (cause) {
      const error = refusal(cause);
      if (error instanceof LostConnection && error.isUndone) giveUp(client, cause);
      if (error instanceof DamagedDatabase || error instanceof ForeignDatabase) onFatal(error);
      throw error;
    }
  };
  return {
    dialect: postgresDialect,
    rows: async (statement) => (await run(statement)).rows,
    change: async (statement) => (await run(statement)).rowCount ?? 0,
  };
}

/** The link notices the loss and opens a new connection, which reports a refusal of the server. */
function giveUp(client: pg.Client, cause: unknown): void {
  client.emit('error', cause);
  void client.end().catch(() => undefined);
}

/** A connection whose reads are repeated after a loss. */
export function retryingReads(link: Link, connection: Connection): Connection {
  return { ...connection, rows: (statement) => retryRead(link, () => connection.rows(statement)) };
}

/** Repeats a read after a loss. @throws LostConnection if there is no connection for some time */
export async function retryRead<R>(link: Link, read: () => Promise<R>): Promise<R> {
  for (let reads = 1; ; reads++) {
    await link.ready(reconnectLimitMs);
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof LostConnection) || reads === maxReads) throw error;
    }
  }
}
