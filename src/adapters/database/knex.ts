import type { Database } from '../../ports/database.js';
import type { Failpoint } from '../../ports/failpoint.js';
import type { Log } from '../../ports/log.js';
import type { Metrics } from '../../ports/metrics.js';
import type { TableName } from '../../ports/tables/tables.js';
import type { DamagedDatabase } from '../../wire/errors/disk.js';
import { createCloseMark } from './close-mark.js';
import { createGroupCommit } from './units/commit.js';
import type { Connection } from './connection.js';
import { databaseOn } from './database-on.js';
import { oneAtATime, restOfSlices } from './lists/limited.js';
import { createLists } from './lists/sliced.js';
import { watchWrites } from './write-watch.js';
import { migrate } from './migrate.js';
import { type Residences, residences } from './resident/residences.js';
import { createResidentStore } from './resident/store.js';
import { createSession } from './units/session.js';
import { createSoundness } from './soundness.js';
import { openSqlite, type Sqlite, type SqliteParts } from './sqlite.js';
import { plain } from './statements/statement.js';
import { tableNames } from './tables/tables.js';

export interface KnexDatabaseParts {
  /** Path of the file; the names of related files begin with its name. */
  readonly file: string;
  readonly log: Log;
  /** Failpoints reached: `migrate.mid`, `migrate.after`, `database.before-commit`, `database.after-commit`. */
  readonly failpoint?: Failpoint;
  /** Counters: `parley_database_` `statements`, `commits`, `units`, `rows_written` and `groups_split` `_total`. */
  readonly metrics?: Metrics;
  /** The highest form to which an older database may be migrated. Default: the newest. */
  readonly mayReach?: number | undefined;
  /** Called repeatedly while an older database is migrated. */
  readonly tellProgress?: ((text: string) => void) | undefined;
  /** Opens the connections. Default: those of the driver. */
  readonly open?: (parts: SqliteParts) => Promise<Sqlite>;
  /** Default: those for a node. */
  readonly residences?: Residences;
  /** Called once if damage is found after the database was opened; the process must end. */
  readonly onDamage?: (error: DamagedDatabase) => void;
}

/** A database in a file. */
export interface FileDatabase extends Database {
  /** Whether another process may have changed the file since this program closed it last. */
  readonly mayBeEdited: boolean;
  /** The reason why nothing can be written now; undefined while writing works. */
  problem(): string | undefined;
}

/**
 * Opens a node's database on SQLite, creates it if it is absent, and migrates it to the newest form. Checks its pages
 * first, or in the background if there are many.
 *
 * @throws Error if another process uses it, or a newer program wrote it; DamagedDatabase
 */
export async function createKnexDatabase(parts: KnexDatabaseParts): Promise<FileDatabase> {
  const { file, log, failpoint, metrics, open = openSqlite, onDamage = () => undefined } = parts;
  const armed = failpoint ?? { reach: () => Promise.resolve() };
  const counted = metrics ?? { count: () => undefined, set: () => undefined, observe: () => undefined };
  const soundness = createSoundness({ file, log, onDamage });
  const closeMark = createCloseMark(file);
  const mayBeEdited = await closeMark.take();
  const onStatement = (): void => counted.count('parley_database_statements_total');
  const sqlite = await open({ file, log, onDamage: soundness.report, onStatement });
  try {
    await soundness.check(sqlite);
    await migrate(sqlite.writer, { log, failpoint: armed, mayReach: parts.mayReach, tellProgress: parts.tellProgress });
    const used = await usedSequences(sqlite.writer);
    const resident = createResidentStore(parts.residences ?? residences);
    await resident.refresh(sqlite.writer, used);
    const { writer, problem } = watchWrites(sqlite.writer);
    const session = createSession(writer, used, resident);
    const close = async (): Promise<void> => {
      await soundness.stop();
      await sqlite.close();
      await closeMark.leave();
    };
    const commits = createGroupCommit({ session, failpoint: armed, metrics: counted });
    const { committed } = resident;
    const { reader } = sqlite;
    const [quick, slow] = await Promise.all([sqlite.openLimited(), sqlite.openLimited()]);
    const lists = createLists({
      dialect: reader.dialect,
      resident: committed,
      quick: oneAtATime(quick),
      slow: oneAtATime(slow, restOfSlices),
    });
    return { ...databaseOn({ reader, close, commits, resident: committed, lists }), mayBeEdited, problem };
  } catch (cause) {
    await sqlite.close();
    throw cause;
  }
}

/**
 * Reads the highest sequence that any row of each table ever had: SQLite stores it separately from the rows, so removed
 * rows count.
 */
async function usedSequences(connection: Connection): Promise<Map<TableName, number>> {
  const rows = await connection.rows(plain('select "name", "seq" from sqlite_sequence'));
  const used = new Map<TableName, number>();
  for (const table of tableNames) used.set(table, Number(rows.find(({ name }) => name === table)?.seq ?? 0));
  return used;
}
