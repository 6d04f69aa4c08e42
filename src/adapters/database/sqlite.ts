import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import knex, { type Knex } from 'knex';
import { ConflictError } from '../../ports/database.js';
import type { Log } from '../../ports/log.js';
import { DamagedDatabase } from '../../wire/disk.js';
import { type Answer, createPrepared, type Driver, type Prepared } from './prepared.js';
import type { Statement } from './query.js';
import { tableNames, tables } from './tables.js';

/** Where statements go. The writer's run one after the other in the order in which they were given. */
export interface Connection {
  /** The rows that a statement answers. */
  rows(statement: Statement): Promise<Record<string, unknown>[]>;

  /** How many rows a statement changed. @throws ConflictError at a unique key */
  change(statement: Statement): Promise<number>;
}

export interface Sqlite {
  /** The one connection that writes. Whoever uses it is inside a transaction, so no one else may read through it. */
  readonly writer: Connection;
  /** Sees only what is committed and waits for no commit. */
  readonly reader: Connection;
  /** Opens one more connection to read through, for what takes long. */
  openAside(): Promise<Aside>;
  close(): Promise<void>;
}

/** A connection whose statements can be given up. */
export interface Aside {
  readonly connection: Connection;
  interrupt(): void;
}

export interface SqliteParts {
  readonly file: string;
  readonly log: Log;
  /** Called when a statement meets damage, each time. */
  readonly onDamage: (error: DamagedDatabase) => void;
}

const busyTimeoutMs = 5_000;
/** How long the last process may take to end when this one was started in its place. */
const lockTimeoutMs = 1_000;
const maxReaders = 2;

const writerPragmas = [
  `busy_timeout = ${busyTimeoutMs}`,
  'journal_mode = wal',
  'synchronous = full',
  'cache_size = -16384', // KiB
  'temp_store = memory',
  'wal_autocheckpoint = 4000', // pages: one that many commits touch is written back once
  'journal_size_limit = 67108864', // bytes that the log keeps on disk after it was written back
];
const readerPragmas = [`busy_timeout = ${busyTimeoutMs}`, 'query_only = on', 'cache_size = -4096'];
const lockPragmas = [`busy_timeout = ${lockTimeoutMs}`, 'locking_mode = exclusive'];

/** A statement without bindings, of our own words. */
export function plain(sql: string): Statement {
  return { method: 'raw', sql, bindings: [] };
}

/**
 * Opens a file, creating it and its directory when they are absent, for this process alone. The system takes the lock
 * back however the process ends, so a dead one holds nothing (assurance B33).
 *
 * @throws Error when another process uses it; DamagedDatabase when it is no database
 */
export async function openSqlite({ file, log, onDamage }: SqliteParts): Promise<Sqlite> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const closers: (() => Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    for (const closeOne of closers.splice(0).reverse()) await closeOne();
  };
  const openDriver = async (name: string, pragmas: readonly string[]): Promise<Aside> => {
    const pool = openPool(name, pragmas, log);
    closers.push(() => pool.destroy());
    const client = clientOf(pool);
    const held = await client.acquireConnection();
    closers.push(() => client.releaseConnection(held));
    const prepared = createPrepared(held);
    closers.push(() => prepared.close());
    return { connection: connectionOf(prepared, onDamage), interrupt: () => held.interrupt() };
  };
  const open = async (name: string, pragmas: readonly string[]): Promise<Connection> =>
    (await openDriver(name, pragmas)).connection;
  try {
    await takeLock(await open(`${file}-lock`, lockPragmas));
    const writer = await open(file, writerPragmas);
    const readers = await Promise.all(Array.from({ length: maxReaders }, () => open(file, readerPragmas)));
    return { writer, reader: takeTurns(readers), openAside: () => openDriver(file, readerPragmas), close };
  } catch (cause) {
    await close();
    throw cause instanceof Error && 'code' in cause ? refusal(cause) : cause;
  }
}

async function takeLock(lock: Connection): Promise<void> {
  try {
    // A transaction that is never ended: the lock is held, and nothing is ever written.
    await lock.rows(plain('begin exclusive'));
  } catch (cause) {
    if (codeOf(cause) !== 'SQLITE_BUSY') throw cause;
    throw new Error('The database is in use by another process. Stop that process first.', { cause });
  }
}

function openPool(file: string, pragmas: readonly string[], log: Log): Knex {
  const sentence = 'The SQL library reports';
  return knex({
    client: 'sqlite3',
    connection: { filename: file },
    useNullAsDefault: true,
    // Else an error would repeat all values, which are nobody's business and make it megabytes long.
    compileSqlOnError: false,
    log: {
      warn: (message: unknown) => log.debug(sentence, { message }),
      error: (message: unknown) => log.debug(sentence, { message }),
      deprecate: (method: unknown, alternative: unknown) => log.debug(sentence, { method, alternative }),
      debug: (message: unknown) => log.debug(sentence, { message }),
    },
    pool: {
      min: 1,
      max: 1,
      afterCreate(connection: Driver, done: (error: Error | null) => void) {
        connection.serialize();
        connection.exec(pragmas.map((pragma) => `pragma ${pragma};`).join(' '), done);
      },
    },
  });
}

/** What we use of the client behind knex, which its types leave open. */
interface Client {
  acquireConnection(): Promise<Driver>;
  releaseConnection(connection: Driver): Promise<void>;
}

function clientOf(pool: Knex): Client {
  return pool.client as Client; // see there
}

/** Reads go to one connection after the other, so that a long one holds up only every other. */
function takeTurns(readers: readonly Connection[]): Connection {
  let turn = 0;
  const next = (): Connection => {
    const reader = readers[turn++ % readers.length];
    if (reader === undefined) throw new Error('There is no connection to read through');
    return reader;
  };
  return { rows: (statement) => next().rows(statement), change: (statement) => next().change(statement) };
}

function connectionOf(prepared: Prepared, onDamage: SqliteParts['onDamage']): Connection {
  const run = async (statement: Statement): Promise<Answer> => {
    try {
      return await prepared.run(statement);
    } catch (cause) {
      const error = refusal(cause);
      if (error instanceof DamagedDatabase) onDamage(error);
      throw error;
    }
  };
  return {
    rows: async (statement) => (await run(statement)).rows,
    change: async (statement) => (await run(statement)).changes,
  };
}

const damageCodes = new Set(['SQLITE_CORRUPT', 'SQLITE_NOTADB']);

/** Translates an error of the driver: a unique key that was met, damage, or a plain error without SQL or path. */
function refusal(cause: unknown): Error {
  const message = cause instanceof Error ? cause.message : String(cause);
  const unique = /UNIQUE constraint failed: (.+)$/
    .exec(message)?.[1]
    ?.split(', ')
    .map((name) => name.split('.'));
  const table = tableNames.find((name) => name === unique?.[0]?.[0]);
  const columns = unique?.flatMap(([, column]) => column ?? []) ?? [];
  if (table !== undefined && !columns.includes('sequence')) return conflict(table, columns, cause);
  const [reason = 'it gives no reason'] = /SQLITE_[A-Z]+: .*$/.exec(message) ?? [];
  if (damageCodes.has(String(codeOf(cause)))) return new DamagedDatabase(reason, { cause });
  return Object.assign(new Error(`The database refused: ${reason}`, { cause }), { code: codeOf(cause) });
}

/** Names the key as `tables.ts` does, whatever the order in the index. */
function conflict(table: ConflictError['table'], columns: readonly string[], cause: unknown): ConflictError {
  const { uniqueKeys } = tables[table];
  const isSame = (key: readonly string[]) =>
    key.length === columns.length && key.every((name) => columns.includes(name));
  return new ConflictError(table, uniqueKeys.find(isSame) ?? columns, { cause });
}

function codeOf(cause: unknown): unknown {
  return cause instanceof Error && 'code' in cause ? cause.code : undefined;
}
