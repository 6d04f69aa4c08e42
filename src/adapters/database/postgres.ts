import type pg from 'pg';
import type { Database } from '../../ports/database.js';
import type { Failpoint } from '../../ports/failpoint.js';
import type { Log } from '../../ports/log.js';
import type { Metrics } from '../../ports/metrics.js';
import type { TableName } from '../../ports/tables/tables.js';
import type { PostgresAddress } from '../../postgres/address.js';
import { PostgresProblem } from '../../postgres/problem.js';
import { createGroupCommit } from './units/commit.js';
import { inTurn } from './connection.js';
import { databaseOn } from './database-on.js';
import { postgresDialect } from './dialect/postgres.js';
import { ForeignDatabase, LostConnection } from '../../wire/errors/disk.js';
import { type Limited, oneAtATime, restOfSlices } from './lists/limited.js';
import { createLists } from './lists/sliced.js';
import { migrate } from './migrate.js';
import { connectionOn, retryingReads, reconnectLimitMs } from './postgres/connection.js';
import { limitedOn } from './postgres/limited.js';
import { createLink, type Link } from './postgres/link.js';
import { openReader, openWriter, readMark } from './postgres/open.js';
import { type CommitMark, createPostgresPack } from './postgres/pack.js';
import { refusal } from './postgres/refusal.js';
import { type Residences, residences } from './resident/residences.js';
import { createResidentStore } from './resident/store.js';
import { createSession } from './units/session.js';
import { watchWrites } from './write-watch.js';
import { tableNames } from './tables/tables.js';

export interface PostgresDatabaseParts {
  /** Read for each connection. @throws Error with one sentence */
  readonly readAddress: () => Promise<PostgresAddress>;
  /** The schema of this node, which is created if it is absent. */
  readonly schema: string;
  /** The name of this node, which the schema records: no other node can use it. */
  readonly owner: string;
  readonly log: Log;
  /** Failpoints reached: `migrate.mid`, `migrate.after`, `database.before-commit`, `database.after-commit`. */
  readonly failpoint?: Failpoint;
  /** Counters: `parley_database_` `statements`, `commits`, `units`, `rows_written` and `groups_split` `_total`. */
  readonly metrics?: Metrics;
  /** The highest form to which an older database may be migrated. Default: the newest. */
  readonly mayReach?: number | undefined;
  /** Called repeatedly while an older database is migrated. */
  readonly tellProgress?: ((text: string) => void) | undefined;
  /** Default: those for a node. */
  readonly residences?: Residences;
  /** Called if the database is damaged, or was replaced or changed by others; the process must end. */
  readonly onFatal?: (error: Error) => void;
}

/** A database on a server. */
export interface ServerDatabase extends Database {
  /** The reason why there is no connection, or nothing can be written, now; undefined while it works. */
  problem(): string | undefined;
}

const maxReaders = 2;

/**
 * Opens a node's database in a schema of PostgreSQL, creates it if it is absent, and migrates it to the newest form. A
 * lost connection is reopened: units and reads wait for it for a while, and a commit whose answer was lost waits until
 * the database tells whether it took place.
 *
 * @throws PostgresProblem, each with a sentence
 */
export async function createPostgresDatabase(parts: PostgresDatabaseParts): Promise<ServerDatabase> {
  const { log, failpoint, metrics } = parts;
  const armed = failpoint ?? { reach: () => Promise.resolve() };
  const counted = metrics ?? { count: () => undefined, set: () => undefined, observe: () => undefined };
  const onFatal = once(parts.onFatal ?? (() => undefined));
  const onStatement = (): void => counted.count('parley_database_statements_total');
  // All connections are lost together, so only one of them logs it.
  const quiet: Log = { ...log, info: log.debug, warn: log.debug };
  const links: Link[] = [];
  const close = async (): Promise<void> => {
    for (const link of links.splice(0).reverse()) await link.close();
  };
  const link = async (open: () => Promise<pg.Client>, told: Log): Promise<Link> => {
    const opened = await createLink({ open, log: told, onForeign: onFatal });
    links.push(opened);
    return opened;
  };
  try {
    let mayCreate = true;
    const writing = await link(() => openWriter(parts, { mayCreate }), log);
    mayCreate = false;
    const plainWriter = connectionOn(writing, { onStatement, onFatal });
    await migrate(plainWriter, { log, failpoint: armed, mayReach: parts.mayReach, tellProgress: parts.tellProgress });
    const mark = await readMark(writing.current());
    const readLastMark = async (): Promise<CommitMark> => {
      for (;;) {
        await writing.ready();
        const found = await settled(() => readMark(writing.current()));
        if (found !== undefined) return found;
      }
    };
    const pack = createPostgresPack({ mark, readMark: readLastMark });
    const isCommitted = (): Promise<boolean> => endingIfForeign(() => pack.isCommitted(), onFatal);
    const ready = (): Promise<boolean> =>
      endingIfForeign(async () => {
        const isNew = await writing.ready(reconnectLimitMs);
        if (isNew) pack.check((await readMark(writing.current())).number);
        return isNew;
      }, onFatal);
    const { writer, problem } = watchWrites({ ...plainWriter, pack: { ...pack, isCommitted }, ready });
    const readers = await Promise.all(Array.from({ length: maxReaders }, () => link(() => openReader(parts), quiet)));
    const connections = readers.map((each) => retryingReads(each, connectionOn(each, { onStatement, onFatal })));
    const reader = inTurn(connections, postgresDialect);
    const used = new Map(tableNames.map((table): [TableName, number] => [table, mark.used.get(table) ?? 0]));
    const resident = createResidentStore(parts.residences ?? residences);
    await resident.refresh(writer, used);
    const session = createSession(writer, used, resident);
    const commits = createGroupCommit({ session, failpoint: armed, metrics: counted });
    const { committed } = resident;
    const limited = async (): Promise<Limited> => {
      const opened = await link(() => openReader(parts), quiet);
      return limitedOn(opened, { connection: connectionOn(opened, { onStatement, onFatal }), aside: reader });
    };
    const [quick, slow] = await Promise.all([limited(), limited()]);
    const lists = createLists({
      dialect: postgresDialect,
      resident: committed,
      quick: oneAtATime(quick),
      slow: oneAtATime(slow, restOfSlices),
    });
    const database = databaseOn({ reader, close, commits, resident: committed, lists });
    return { ...database, problem: () => links.map((each) => each.problem()).find(isText) ?? problem() };
  } catch (cause) {
    await close();
    throw cause;
  }
}

/** The result of a call; undefined if the connection was lost. */
async function settled<R>(call: () => Promise<R>): Promise<R | undefined> {
  try {
    return await call();
  } catch (error) {
    if (refusal(error) instanceof LostConnection) return undefined;
    throw error;
  }
}

/** Calls `onFatal` if a call finds that others have changed the schema. */
async function endingIfForeign<R>(call: () => Promise<R>, onFatal: (error: Error) => void): Promise<R> {
  try {
    return await call();
  } catch (cause) {
    const error = cause instanceof LostConnection ? cause : refusal(cause);
    const isForeign = error instanceof PostgresProblem && error.reason === 'foreign';
    if (isForeign || error instanceof ForeignDatabase) onFatal(error);
    throw error;
  }
}

function isText(value: string | undefined): value is string {
  return value !== undefined;
}

function once(call: (error: Error) => void): (error: Error) => void {
  let isCalled = false;
  return (error) => {
    if (!isCalled) call(error);
    isCalled = true;
  };
}
