import type { Failpoint } from '../../ports/failpoint.js';
import type { Log } from '../../ports/log.js';
import { firstLight } from './migrations/001-first-light.js';
import { messaging } from './migrations/002-messaging.js';
import { subscriptions } from './migrations/003-subscriptions.js';
import { tokens } from './migrations/004-tokens.js';
import { networks } from './migrations/005-networks.js';
import { judgements } from './migrations/006-judgements.js';
import { rejections } from './migrations/007-rejections.js';
import { steps } from './migrations/008-steps.js';
import { firstMessages } from './migrations/009-first-messages.js';
import { listFilters } from './migrations/010-list-filters.js';
import { memberFilters } from './migrations/011-member-filters.js';
import { bytes } from './migrations/012-bytes.js';
import { numbers } from './migrations/013-numbers.js';
import { makers } from './migrations/014-makers.js';
import { senders } from './migrations/015-senders.js';
import type { Connection } from './connection.js';
import { plain } from './statements/statement.js';

interface Migration {
  readonly number: number;
  readonly name: string;
  /** Run first, on SQLite alone. */
  readonly onSqlite?: readonly string[];
  readonly statements: readonly string[];
}

/** All migrations, in order, numbered from 1 without a gap. */
export const migrations: readonly Migration[] = [
  firstLight,
  messaging,
  subscriptions,
  tokens,
  networks,
  judgements,
  rejections,
  steps,
  firstMessages,
  listFilters,
  memberFilters,
  bytes,
  numbers,
  makers,
  senders,
];

export interface MigrateParts {
  readonly log: Log;
  readonly failpoint: Failpoint;
  /** The highest form to which an older database may be migrated. Default: the newest. */
  readonly mayReach?: number | undefined;
  /** Called repeatedly while an older database is migrated. */
  readonly tellProgress?: ((text: string) => void) | undefined;
}

/** Often enough that the migration is not taken for a hang. */
const tellMs = 5_000;

export const migrationsTable =
  'create table if not exists "migrations" ("number" integer primary key, "name" text not null) strict';

/**
 * Migrates a database to the newest form, in one transaction: a process that is killed midway leaves the form before or
 * after.
 *
 * @throws Error if a newer program wrote the database, or if it is older and must not be migrated
 */
export async function migrate(connection: Connection, parts: MigrateParts): Promise<void> {
  const { log, failpoint, mayReach, tellProgress } = parts;
  await connection.rows(plain(connection.dialect.definition(migrationsTable) ?? ''));
  const [row] = await connection.rows(plain('select coalesce(max("number"), 0) as "number" from "migrations"'));
  const present = Number(row?.number);
  const newest = migrations.at(-1)?.number ?? 0;
  if (present > newest) {
    throw new Error(
      `The database has form ${present}, and this program knows forms up to ${newest}: a newer version wrote it. ` +
        'Use that version again, or a newer one.',
    );
  }
  if (present > 0 && present < newest && newest > (mayReach ?? newest)) {
    throw new Error(
      `The database has form ${present}, and this program would bring it to form ${newest} without a way back. ` +
        'Save a snapshot and migrate it with: stack upgrade',
    );
  }
  const missing = migrations.slice(present);
  if (missing.length === 0) return;
  const tell = (): void => tellProgress?.(`begun to bring its database from form ${present} to ${newest}`);
  await connection.rows(connection.dialect.begin);
  const telling = setInterval(tell, tellMs);
  try {
    for (const migration of missing) await apply(connection, migration, failpoint);
    // Otherwise this connection would plan without the new statistics until it is opened again.
    await define(connection, 'analyze sqlite_schema');
    await connection.rows(plain('commit'));
  } catch (cause) {
    await connection.rows(plain('rollback'));
    throw cause;
  } finally {
    clearInterval(telling);
  }
  await failpoint.reach('migrate.after');
  log.info('The database was migrated', { before: present, form: newest });
}

async function apply(
  connection: Connection,
  { number, name, onSqlite = [], statements }: Migration,
  failpoint: Failpoint,
): Promise<void> {
  const first = connection.dialect.engine === 'sqlite' ? onSqlite : [];
  for (const statement of [...first, ...statements]) await define(connection, statement);
  await failpoint.reach('migrate.mid');
  await connection.change({
    method: 'insert',
    sql: 'insert into "migrations" ("number", "name") values (?, ?)',
    bindings: [number, name],
  });
}

async function define(connection: Connection, statement: string): Promise<void> {
  const definition = connection.dialect.definition(statement);
  if (definition !== undefined) await connection.rows(plain(definition));
}
