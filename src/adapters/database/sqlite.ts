import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import knex, { type Knex } from 'knex';
import { ConflictError } from '../../ports/database.js';
import type { Log } from '../../ports/log.js';
import { DamagedDatabase, LockedDatabase } from '../../wire/errors/disk.js';
import { type Connection, inTurn, type Writer } from './connection.js';
import { sqliteDialect } from './dialect/sqlite.js';
import { type Answer, createPrepared, type Driver, type Prepared } from './statements/prepared.js';
import type { Limited } from './lists/limited.js';
import { createSqlitePack } from './units/sqlite-pack.js';
import { plain, type Statement } from './statements/statement.js';
import { tableNames, tables } from './tables/tables.js';

export interface Sqlite {
  readonly writer: Writer;
  /** Sees only committed rows and waits for no commit. */
  readonly reader: Connection;
  /** Opens another connection for long reads. */
  openAside(): Promise<Aside>;
  /** Opens another connection for reads with a limit. */
  openLimited(): Promise<Limited>;
  close(): Promise<void>;
}

/** A connection whose statements can be interrupted. */
export interface Aside {
  readonly connection: Connection;
  interrupt(): void;
}

export interface SqliteParts {
  readonly file: string;
  readonly log: Log;
  /** Called each time a statement finds damage. */
  readonly onDamage: (error: DamagedDatabase) => void;
  /** Called with every statement passed to the driver, except those that open a connection. */
  readonly onStatement?: ((sql: string) => void) | undefined;
}

const busyTimeoutMs = 5_000;
/** The time that the previous process may take to end when this one replaces it. */
const lockTimeoutMs = 1_000;
const maxReaders = 2;

const writerPragmas = [
  `busy_timeout = ${busyTimeoutMs}`,
  'journal_mode = wal',
  'synchronous = full',
  // On macOS a sync reaches only the cache of the disk without these, and a power cut takes that. Others ignore them.
  'fullfsync = on',
  'checkpoint_fullfsync = on',
  'cache_size = -4096', // KiB
  'temp_store = memory',
  'wal_autocheckpoint = 4000', // pages: one that many commits touch is written back once
  'journal_size_limit = 67108864', // bytes that the log keeps on disk after it was written back
];
const readerPragmas = [`busy_timeout = ${busyTimeoutMs}`, 'query_only = on', 'cache_size = -1024'];
const dayMs = 86_400_000;
const lockPragmas = [`busy_timeout = ${lockTimeoutMs}`, 'locking_mode = exclusive'];

/**
 * Opens a file for this process alone, creating it and its directory if they are absent. The operating system releases
 * the lock however the process ends (docs/architecture.md §9.2).
 *
 * @throws Error if another process uses it; DamagedDatabase if it is not a database
 */
export async function openSqlite({ file, log, onDamage, onStatement }: SqliteParts): Promise<Sqlite> {
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
    return { connection: connectionOf(prepared, { onDamage, onStatement }), interrupt: () => held.interrupt() };
  };
  const open = async (name: string, pragmas: readonly string[]): Promise<Connection> =>
    (await openDriver(name, pragmas)).connection;
  try {
    await takeLock(await open(`${file}-lock`, lockPragmas));
    const connection = await open(file, writerPragmas);
    const writer = { ...connection, pack: createSqlitePack(), ready: () => Promise.resolve(false) };
    const readers = await Promise.all(Array.from({ length: maxReaders }, () => open(file, readerPragmas)));
    const openAside = (): Promise<Aside> => openDriver(file, readerPragmas);
    const openLimited = async (): Promise<Limited> => limitedBy(await openAside());
    return { writer, reader: inTurn(readers, sqliteDialect), openAside, openLimited, close };
  } catch (cause) {
    await close();
    throw cause instanceof Error && 'code' in cause ? refusal(cause) : cause;
  }
}

async function takeLock(lock: Connection): Promise<void> {
  try {
    // A transaction that never ends: it holds the lock and writes nothing.
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
    // Otherwise an error would repeat all values, which are private and may be megabytes long.
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
      // The pool checks once a second for unused connections; its only connection stays open.
      reapIntervalMillis: dayMs,
      afterCreate(connection: Driver, done: (error: Error | null) => void) {
        connection.serialize();
        connection.exec(pragmas.map((pragma) => `pragma ${pragma};`).join(' '), done);
      },
    },
  });
}

/** The part of knex's client that is used here; knex has no types for it. */
interface Client {
  acquireConnection(): Promise<Driver>;
  releaseConnection(connection: Driver): Promise<void>;
}

function clientOf(pool: Knex): Client {
  return pool.client as Client; // see there
}

const interruptAgainMs = 10;

/**
 * Interrupts a statement that takes too long, repeatedly, since an interrupt before the statement has begun has no
 * effect.
 */
function limitedBy({ connection, interrupt }: Aside): Limited {
  return {
    async rows(statement, { ms, signal }) {
      let again: NodeJS.Timeout | undefined;
      const end = (): void => {
        again ??= setInterval(interrupt, interruptAgainMs);
        interrupt();
      };
      const timer = setTimeout(end, ms);
      signal?.addEventListener('abort', end, { once: true });
      try {
        return await connection.rows(statement);
      } catch (error) {
        if (again !== undefined && codeOf(error) === 'SQLITE_INTERRUPT') return undefined;
        throw error;
      } finally {
        signal?.removeEventListener('abort', end);
        clearTimeout(timer);
        clearInterval(again);
      }
    },
  };
}

type Listeners = Pick<SqliteParts, 'onDamage' | 'onStatement'>;

function connectionOf(prepared: Prepared, { onDamage, onStatement }: Listeners): Connection {
  const run = async (statement: Statement): Promise<Answer> => {
    onStatement?.(statement.sql);
    try {
      return await prepared.run(statement);
    } catch (cause) {
      const error = refusal(cause);
      if (error instanceof DamagedDatabase) onDamage(error);
      throw error;
    }
  };
  return {
    dialect: sqliteDialect,
    rows: async (statement) => (await run(statement)).rows,
    change: async (statement) => (await run(statement)).changes,
  };
}

const damageCodes = new Set(['SQLITE_CORRUPT', 'SQLITE_NOTADB']);

/** Converts the driver's error: a conflict at a unique key, a lock, damage, or a plain error without SQL or path. */
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
  if (codeOf(cause) === 'SQLITE_BUSY') return new LockedDatabase({ cause });
  return Object.assign(new Error(`The database refused: ${reason}`, { cause }), { code: codeOf(cause) });
}

/** Names the key as `tables.ts` does, in any order of its columns. */
function conflict(table: ConflictError['table'], columns: readonly string[], cause: unknown): ConflictError {
  const { uniqueKeys } = tables[table];
  const isSame = (key: readonly string[]) =>
    key.length === columns.length && key.every((name) => columns.includes(name));
  return new ConflictError(table, uniqueKeys.find(isSame) ?? columns, { cause });
}

function codeOf(cause: unknown): unknown {
  return cause instanceof Error && 'code' in cause ? cause.code : undefined;
}
