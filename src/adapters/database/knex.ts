import type { Database, Reader } from '../../ports/database.js';
import type { Failpoint } from '../../ports/failpoint.js';
import type { Log } from '../../ports/log.js';
import type { Metrics } from '../../ports/metrics.js';
import type { TableName } from '../../ports/tables.js';
import type { DamagedDatabase } from '../../wire/disk.js';
import { createCloseMark } from './close-mark.js';
import { createGroupCommit } from './commit.js';
import { migrate } from './migrate.js';
import { countStatement, findStatement } from './query.js';
import { countIn, foundRows } from './rows.js';
import { createSession } from './session.js';
import { textsIn, textsStatement } from './shape-sql.js';
import { createSoundness } from './soundness.js';
import { type Connection, openSqlite, plain } from './sqlite.js';
import { tableNames } from './tables.js';

export interface KnexDatabaseParts {
  /** Path of the file; what stands beside it begins with its name. */
  readonly file: string;
  readonly log: Log;
  /** Reached: `migrate.mid`, `migrate.after`, `database.before-commit`, `database.after-commit`. */
  readonly failpoint?: Failpoint;
  /** Counted: `parley_database_` `commits`, `units`, `rows_written` and `groups_split` `_total`. */
  readonly metrics?: Metrics;
  /** Called once when damage is found after the opening; the process must end. */
  readonly onDamage?: (error: DamagedDatabase) => void;
}

/** A database in a file. */
export interface FileDatabase extends Database {
  /** Somebody else may have changed the file since this program closed it last. */
  readonly mayBeEdited: boolean;
}

/**
 * Opens a node's database on SQLite, makes it when it is absent, and brings it to the newest form. Its pages are looked
 * through before, or beside the work where there are many.
 *
 * @throws Error when another process uses it, or a newer program wrote it; DamagedDatabase
 */
export async function createKnexDatabase(parts: KnexDatabaseParts): Promise<FileDatabase> {
  const { file, log, failpoint, metrics, onDamage = () => undefined } = parts;
  const armed = failpoint ?? { reach: () => Promise.resolve() };
  const counted = metrics ?? { count: () => undefined, set: () => undefined, observe: () => undefined };
  const soundness = createSoundness({ file, log, onDamage });
  const closeMark = createCloseMark(file);
  const mayBeEdited = await closeMark.take();
  const sqlite = await openSqlite({ file, log, onDamage: soundness.report });
  try {
    await soundness.check(sqlite);
    await migrate(sqlite.writer, log, armed);
    const session = createSession(sqlite.writer, await usedSequences(sqlite.writer));
    const close = async (): Promise<void> => {
      await soundness.stop();
      await sqlite.close();
      await closeMark.leave();
    };
    const commits = createGroupCommit({ session, failpoint: armed, metrics: counted });
    return { ...databaseOn({ ...sqlite, close }, commits), mayBeEdited };
  } catch (cause) {
    await sqlite.close();
    throw cause;
  }
}

function databaseOn(
  sqlite: Awaited<ReturnType<typeof openSqlite>>,
  commits: ReturnType<typeof createGroupCommit>,
): Database {
  const reads = new Set<Promise<unknown>>();
  let closing: Promise<void> | undefined;

  async function whileOpen<R>(work: () => Promise<R>): Promise<R> {
    if (closing) throw new Error('The database is closed');
    return work();
  }

  function reading<R>(work: () => Promise<R>): Promise<R> {
    const read = whileOpen(work);
    const done = read.then(
      () => undefined,
      () => undefined,
    );
    reads.add(done);
    void done.then(() => reads.delete(done));
    return read;
  }

  const reader: Reader = {
    find: (table, query) =>
      reading(async () => foundRows(table, await sqlite.reader.rows(findStatement(table, query)))),
    count: (table, selection) =>
      reading(async () => countIn(await sqlite.reader.rows(countStatement(table, selection)))),
  };

  return {
    ...reader,
    transaction: (unit) => whileOpen(() => commits.transaction(unit)),
    texts: (table, shape, keys) =>
      reading(async () => textsIn(await sqlite.reader.rows(textsStatement(table, shape, keys)))),
    close() {
      closing ??= commits
        .drain()
        .then(() => Promise.all(reads))
        .then(() => sqlite.close());
      return closing;
    },
  };
}

/**
 * The highest sequence that a row of each table ever had: SQLite keeps it beside the rows, also of those that were
 * removed.
 */
async function usedSequences(connection: Connection): Promise<Map<TableName, number>> {
  const rows = await connection.rows(plain('select "name", "seq" from sqlite_sequence'));
  const used = new Map<TableName, number>();
  for (const table of tableNames) used.set(table, Number(rows.find(({ name }) => name === table)?.seq ?? 0));
  return used;
}
