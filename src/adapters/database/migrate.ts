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
import { type Connection, plain } from './sqlite.js';

interface Migration {
  readonly number: number;
  readonly name: string;
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
];

/**
 * Migrates a database to the newest form, one transaction per migration: a process that is killed midway leaves the
 * form before or after.
 *
 * @throws Error when the database is of a newer program than this one
 */
export async function migrate(connection: Connection, log: Log, failpoint: Failpoint): Promise<void> {
  await connection.rows(
    plain('create table if not exists "migrations" ("number" integer primary key, "name" text not null) strict'),
  );
  const [row] = await connection.rows(plain('select coalesce(max("number"), 0) as "number" from "migrations"'));
  const present = Number(row?.number);
  const newest = migrations.at(-1)?.number ?? 0;
  if (present > newest) {
    throw new Error(
      `The database has form ${present}, and this program knows forms up to ${newest}: a newer version wrote it. ` +
        'Use that version again, or a newer one.',
    );
  }
  for (const migration of migrations.slice(present)) {
    await apply(connection, migration, failpoint);
    log.info('The database has a new form', { form: migration.number, name: migration.name });
  }
}

async function apply(connection: Connection, migration: Migration, failpoint: Failpoint): Promise<void> {
  await connection.rows(plain('begin immediate'));
  try {
    for (const statement of migration.statements) await connection.rows(plain(statement));
    await failpoint.reach('migrate.mid');
    await connection.change({
      method: 'insert',
      sql: 'insert into "migrations" ("number", "name") values (?, ?)',
      bindings: [migration.number, migration.name],
    });
    await connection.rows(plain('commit'));
  } catch (cause) {
    await connection.rows(plain('rollback'));
    throw cause;
  }
  await failpoint.reach('migrate.after');
}
