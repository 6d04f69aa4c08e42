import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import sqlite from 'sqlite3';

type Database = InstanceType<typeof sqlite.Database>;

/** The file whose lock is held: an empty database. */
const lockFile = 'lock-file';
/** Names the holder in the refusal of others; it has no other effect. */
const holderFile = 'lock-holder';
/** The time that the previous process may take to end when this one replaces it. */
const waitLimitMs = 1_000;

/**
 * Locks a directory for this process, until the returned function is called or the process ends in any way. The
 * operating system keeps the lock, through SQLite, since Node itself cannot lock a file: pids and start times mean
 * nothing to a process in another container (docs/architecture.md §9.2, docs/operations.md §2).
 *
 * @throws Error that names the process which has the directory
 */
export async function acquireLock(directory: string): Promise<() => Promise<void>> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const database = await open(join(directory, lockFile));
  try {
    // A transaction that never ends: it holds the lock and writes nothing.
    await run(database, `pragma busy_timeout = ${waitLimitMs}; pragma locking_mode = exclusive; begin exclusive;`);
    await writeFile(join(directory, holderFile), `${process.pid} ${hostname()}\n`, { mode: 0o600 });
  } catch (cause) {
    await close(database);
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'SQLITE_BUSY')) throw cause;
    throw new Error(`The data directory is in use by ${await holderOf(directory)}. Stop that process first.`, {
      cause,
    });
  }
  // Callers may drop the returned function; without this reference the database would be collected and its lock
  // released.
  const keep = (): void => database.close();
  process.once('exit', keep);
  return () => {
    process.off('exit', keep);
    return close(database);
  };
}

async function holderOf(directory: string): Promise<string> {
  const text = await readFile(join(directory, holderFile), 'utf8').catch(() => '');
  const [pid, host] = text.trim().split(' ');
  if (pid === undefined || host === undefined) return 'another process';
  return host === hostname() ? `process ${pid}` : `process ${pid} of ${host}`;
}

function open(file: string): Promise<Database> {
  return new Promise((resolve, reject) => {
    const database = new sqlite.Database(file, (error) => {
      if (error === null) resolve(database);
      else reject(error);
    });
  });
}

function run(database: Database, sql: string): Promise<void> {
  return new Promise((resolve, reject) => {
    database.exec(sql, (error) => {
      if (error === null) resolve();
      else reject(error);
    });
  });
}

function close(database: Database): Promise<void> {
  return new Promise((resolve, reject) => {
    database.close((error) => {
      if (error === null) resolve();
      else reject(error);
    });
  });
}
