import type pg from 'pg';
import { databaseForm } from '../ports/database-form.js';
import { type PostgresAddress, serverOf } from './address.js';
import { PostgresProblem, quoteName } from './problem.js';

const oldestVersion = 15;

/** A schema as it was found. */
export interface FoundSchema {
  readonly isThere: boolean;
  /** The form of the node's tables in it; 0 if there are none. */
  readonly form: number;
}

/**
 * Looks whether a node can have its tables in a schema, and changes nothing.
 *
 * @param owner the node that will use it
 * @throws PostgresProblem
 */
export async function inspectSchema(
  client: pg.Client,
  address: PostgresAddress,
  schema: string,
  owner: string,
): Promise<FoundSchema> {
  await requireServer(client, address);
  const [found] = await ask<{ may_use: boolean; may_create: boolean; is_there: boolean }>(
    client,
    `select n.oid is not null as is_there,
       has_database_privilege(current_database(), 'create') as may_create,
       coalesce(has_schema_privilege(n.oid, 'create') and has_schema_privilege(n.oid, 'usage'), false) as may_use
     from (select 1) as one left join pg_namespace n on n.nspname = $1`,
    [schema],
  );
  const { database, user } = address;
  if (found?.is_there !== true) {
    if (found?.may_create === true) return { isThere: false, form: 0 };
    throw new PostgresProblem(
      'refused',
      `the user ${user} may not create the schema ${schema} in the database ${database}`,
      `Let an administrator say: grant create on database ${quoteName(database)} to ${quoteName(user)};`,
    );
  }
  if (!found.may_use) {
    throw new PostgresProblem(
      'refused',
      `the user ${user} may not create tables in the schema ${schema}`,
      `Let an administrator say: grant all on schema ${quoteName(schema)} to ${quoteName(user)};`,
    );
  }
  return inspectTables(client, { user, schema, owner });
}

interface Tables {
  readonly user: string;
  readonly schema: string;
  readonly owner: string;
}

async function inspectTables(client: pg.Client, { user, schema, owner }: Tables): Promise<FoundSchema> {
  const tables = await ask<{ relname: string; may_use: boolean }>(
    client,
    `select c.relname, c.relkind <> 'r' or (has_table_privilege(c.oid, 'select') and
       has_table_privilege(c.oid, 'insert') and has_table_privilege(c.oid, 'update') and
       has_table_privilege(c.oid, 'delete')) as may_use
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = $1 and c.relkind in ('r', 'p', 'v', 'm', 'f', 'S')`,
    [schema],
  );
  if (tables.length === 0) return { isThere: true, form: 0 };
  const names = new Set(tables.map(({ relname }) => relname));
  if (!names.has('migrations') || !names.has('node')) {
    throw new PostgresProblem(
      'foreign',
      `the schema ${schema} holds tables that are not those of a node, such as ${[...names].sort()[0] ?? ''}`,
      'Name a schema that does not exist yet, with database.schema.',
    );
  }
  const inSchema = quoteName(schema);
  const closed = tables.find((table) => !table.may_use)?.relname;
  if (closed !== undefined) {
    throw new PostgresProblem(
      'refused',
      `the user ${user} may not read and write the table ${closed} of the schema ${schema}, which is another user's`,
      'Restore the dump as this user, or let an administrator make it the owner of each table: ' +
        `alter table ${inSchema}.${quoteName(closed)} owner to ${quoteName(user)};`,
    );
  }
  const [form] = await ask<{ number: number }>(
    client,
    `select coalesce(max("number"), 0) as number from ${inSchema}."migrations"`,
  );
  if ((form?.number ?? 0) > databaseForm) {
    throw new PostgresProblem(
      'foreign',
      `the schema ${schema} has form ${form?.number ?? 0}, and this program knows forms up to ${databaseForm}: ` +
        'a newer version wrote it',
      'Use that version again, or a newer one.',
    );
  }
  const [node] = await ask<{ owner: string }>(client, `select "owner" as owner from ${inSchema}."node"`);
  if (node !== undefined && node.owner !== owner) {
    throw new PostgresProblem(
      'foreign',
      `the schema ${schema} belongs to the node ${node.owner}, not to ${owner}`,
      'Name a schema of its own, with database.schema.',
    );
  }
  return { isThere: true, form: form?.number ?? 0 };
}

async function requireServer(client: pg.Client, address: PostgresAddress): Promise<void> {
  const [server] = await ask<{ version: string; encoding: string; is_standby: boolean; is_read_only: string }>(
    client,
    `select current_setting('server_version') as version, current_setting('server_encoding') as encoding,
       pg_is_in_recovery() as is_standby, current_setting('default_transaction_read_only') as is_read_only`,
  );
  const version = server?.version ?? '';
  const problem = (message: string, remedy: string) => new PostgresProblem('unsuitable', message, remedy);
  const where = serverOf(address);
  if (Number.parseInt(version, 10) < oldestVersion) {
    throw problem(`the server at ${where} is PostgreSQL ${version}`, `Use PostgreSQL ${oldestVersion} or newer.`);
  }
  if (server?.encoding !== 'UTF8') {
    throw problem(
      `the database ${address.database} has the encoding ${server?.encoding ?? 'unknown'}`,
      `Create it with: createdb --encoding UTF8 --template template0 ${address.database}`,
    );
  }
  if (server.is_standby || server.is_read_only === 'on') {
    throw problem(`the database ${address.database} at ${where} is read-only`, 'Name a server that takes writes.');
  }
}

/** Removes a schema of a node, and nothing else. @throws PostgresProblem if it holds something else */
export async function dropSchema(
  client: pg.Client,
  address: PostgresAddress,
  schema: string,
  owner: string,
): Promise<void> {
  const { isThere } = await inspectSchema(client, address, schema, owner);
  if (isThere) await client.query(`drop schema ${quoteName(schema)} cascade`);
}

async function ask<R extends pg.QueryResultRow>(client: pg.Client, sql: string, values?: unknown[]): Promise<R[]> {
  return (await client.query<R>(sql, values)).rows;
}
