import type pg from 'pg';
import type { Database } from '../../ports/database.js';
import type { Failpoint } from '../../ports/failpoint.js';
import type { Log } from '../../ports/log.js';
import type { Metrics } from '../../ports/metrics.js';
import type { TableName } from '../../ports/tables/tables.js';
import type { PostgresAddress } from '../../postgres/address.js';
import { codeOf } from '../../postgres/problem.js';
import { createGroupCommit } from './units/commit.js';
import type { Connection, Writer } from './connection.js';
import { databaseOn } from './database-on.js';
import { postgresDialect } from './dialect/postgres.js';
import { DamagedDatabase, LostConnection } from '../../wire/errors/disk.js';
import { type Limited, oneAtATime, restOfSlices } from './lists/limited.js';
import { createLists } from './lists/sliced.js';
import { migrate } from './migrate.js';
import { createLink, type Link } from './postgres/link.js';
import { openReader, openWriter, readMark } from './postgres/open.js';
import { createPostgresPack } from './postgres/pack.js';
import { refusal } from './postgres/refusal.js';
import { createStatementTexts, type StatementTexts } from './postgres/statements.js';
import { type Residences, residences } from './resident/residences.js';
import { createResidentStore } from './resident/store.js';
import { createSession } from './units/session.js';
import { plain, type Statement } from './statements/statement.js';
import { tableNames } from './tables/tables.js';

export interface PostgresDatabaseParts {
  readonly address: PostgresAddress;
  /** The schema of this node, which is created when it is absent. */
  readonly schema: string;
  /** The name of this node, which the schema has recorded: no other node can use it. */
  readonly owner: string;
  readonly log: Log;
  /** Points reached: `migrate.mid`, `migrate.after`, `database.before-commit`, `database.after-commit`. */
  readonly failpoint?: Failpoint;
  /** Counters: `parley_database_` `statements`, `commits`, `units`, `rows_written` and `groups_split` `_total`. */
  readonly metrics?: Metrics;
  /** The form that a database of an older one may be brought to. Default: the newest. */
  readonly mayReach?: number | undefined;
  /** Default: those that suit a node. */
  readonly residences?: Residences;
  /** Called when the database is damaged, or is not the one any more that it was; the process must end. */
  readonly onFatal?: (error: Error) => void;
}

/** A database on a server. */
export interface ServerDatabase extends Database {
  /** The reason why there is no connection to it now; undefined while there is one. */
  problem(): string | undefined;
}

const maxReaders = 2;
/** The time that a call waits for a lost connection before it is refused. */
const patienceMs = 5_000;
/** The times that a read is repeated on another connection. */
const maxReads = 4;

/**
 * Opens a node's database in a schema of PostgreSQL, creates it when it is absent, and migrates it to the newest form.
 * A lost connection is made again: units and reads wait for it a while, and a commit whose answer was lost waits until
 * the database says whether it took place.
 *
 * @throws PostgresProblem, each with its sentence
 */
export async function createPostgresDatabase(parts: PostgresDatabaseParts): Promise<ServerDatabase> {
  const { log, failpoint, metrics } = parts;
  const armed = failpoint ?? { reach: () => Promise.resolve() };
  const counted = metrics ?? { count: () => undefined, set: () => undefined, observe: () => undefined };
  const onFatal = once(parts.onFatal ?? (() => undefined));
  const onStatement = (): void => counted.count('parley_database_statements_total');
  // All are lost together, and one of them says so.
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
    const writing = await link(() => openWriter(parts), log);
    const plainWriter = connectionOn(writing, { onStatement, onFatal });
    await migrate(plainWriter, { log, failpoint: armed, mayReach: parts.mayReach });
    const mark = await readMark(writing.current());
    const readNumber = async (): Promise<number> => {
      for (;;) {
        await writing.ready();
        const found = await settled(() => readMark(writing.current()));
        if (found !== undefined) return found.number;
      }
    };
    const pack = createPostgresPack({ mark, readNumber });
    const writer: Writer = { ...plainWriter, pack, ready: () => writing.ready(patienceMs) };
    const readers = await Promise.all(Array.from({ length: maxReaders }, () => link(() => openReader(parts), quiet)));
    const reader = takeTurns(readers.map((each) => patient(each, connectionOn(each, { onStatement, onFatal }))));
    const used = new Map(tableNames.map((table): [TableName, number] => [table, mark.used.get(table) ?? 0]));
    const resident = createResidentStore(parts.residences ?? residences);
    await resident.refresh(writer, used);
    const session = createSession(writer, used, resident);
    const commits = createGroupCommit({ session, failpoint: armed, metrics: counted });
    const { committed } = resident;
    const limited = async (): Promise<Limited> => {
      const opened = await link(() => openReader(parts), quiet);
      return limitedOn(opened, connectionOn(opened, { onStatement, onFatal }));
    };
    const quick = oneAtATime(await limited());
    const slow = oneAtATime(await limited(), restOfSlices);
    const lists = createLists({ dialect: postgresDialect, resident: committed, quick, slow });
    const database = databaseOn({ reader, close, commits, resident: committed, lists });
    return { ...database, problem: () => links.map((each) => each.problem()).find(isText) };
  } catch (cause) {
    await close();
    throw cause;
  }
}

interface Listeners {
  readonly onStatement: () => void;
  readonly onFatal: (error: Error) => void;
}

type Answer = pg.QueryResult<Record<string, unknown>>;

/** The statements of one connection, one after the other; they are refused as soon as it is lost. */
function connectionOn(link: Link, { onStatement, onFatal }: Listeners): Connection {
  const texts = new WeakMap<pg.Client, StatementTexts>();
  let last: Promise<unknown> = Promise.resolve();
  const run = (statement: Statement): Promise<Answer> => {
    const answer = last.then(() => ask(statement));
    last = answer.catch(() => undefined); // its caller hears of it
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
      if (error instanceof DamagedDatabase) onFatal(error);
      throw error;
    }
  };
  return {
    dialect: postgresDialect,
    rows: async (statement) => (await run(statement)).rows,
    change: async (statement) => (await run(statement)).rowCount ?? 0,
  };
}

/** A connection whose reads are repeated after a loss. */
function patient(link: Link, connection: Connection): Connection {
  return { ...connection, rows: (statement) => patiently(link, () => connection.rows(statement)) };
}

/** Repeats a read after a loss. */
async function patiently<R>(link: Link, read: () => Promise<R>): Promise<R> {
  for (let reads = 1; ; reads++) {
    await link.ready(patienceMs);
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof LostConnection) || reads === maxReads) throw error;
    }
  }
}

/** A connection whose reads the server ends when they take too long. */
function limitedOn(link: Link, connection: Connection): Limited {
  const limits = new WeakMap<pg.Client, number>();
  return {
    rows: (statement, { ms }) =>
      patiently(link, async () => {
        const client = link.current();
        if (limits.get(client) !== ms) await connection.rows(plain(`set statement_timeout to ${ms}`));
        limits.set(client, ms);
        try {
          return await connection.rows(statement);
        } catch (error) {
          if (codeOf(error) === queryCancelled) return undefined;
          throw error;
        }
      }),
  };
}

const queryCancelled = '57014';

/** Reads use the connections in turn, so that a long one delays only every other. */
function takeTurns(readers: readonly Connection[]): Connection {
  let turn = 0;
  const next = (): Connection => {
    const reader = readers[turn++ % readers.length];
    if (reader === undefined) throw new Error('There is no connection to read through');
    return reader;
  };
  return {
    dialect: postgresDialect,
    rows: (statement) => next().rows(statement),
    change: (statement) => next().change(statement),
  };
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
