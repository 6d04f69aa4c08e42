import type pg from 'pg';
import type { TableName } from '../../../ports/tables/tables.js';
import type { PostgresAddress } from '../../../postgres/address.js';
import { connectPostgres, readPlain } from '../../../postgres/connect.js';
import { takeLock } from '../../../postgres/lock.js';
import { PostgresProblem, quoteName } from '../../../postgres/problem.js';
import { inspectSchema } from '../../../postgres/schema.js';
import { valueOf } from '../../../wire/json/json.js';
import type { JsonText } from '../../../wire/scalar.js';
import { postgresDialect } from '../dialect/postgres.js';
import { readText } from '../dialect/postgres-text.js';
import { migrationsTable } from '../migrate.js';
import { tableNames } from '../tables/tables.js';
import { type CommitMark, writerMember } from './pack.js';

export interface Place {
  /** Read for each connection, since its password may change. @throws Error with one sentence */
  readonly readAddress: () => Promise<PostgresAddress>;
  readonly schema: string;
  readonly owner: string;
}

const text = 25;

function connect(address: PostgresAddress): Promise<pg.Client> {
  return connectPostgres(address, (type) => (type === text ? (value) => readText(value.toString()) : readPlain(type)));
}

/**
 * Opens the connection that writes. It holds the lock of the schema, so the lock and the right to write are lost
 * together; the owner of the lock knows that all earlier commits are decided.
 *
 * @param mayCreate whether the tables may be absent; false once they have existed @throws PostgresProblem
 */
export async function openWriter(
  { readAddress, schema, owner }: Place,
  { mayCreate }: { readonly mayCreate: boolean },
): Promise<pg.Client> {
  const address = await readAddress();
  const client = await connect(address);
  try {
    await takeLock(client, address, schema);
    const { form } = await inspectSchema(client, address, schema, owner);
    await client.query(`set search_path to ${quoteName(schema)}`);
    if (form === 0 && !mayCreate) throw gone(schema, address);
    if (form === 0) await createSchema(client, schema, owner);
    return client;
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
}

/** Opens a connection that reads. @throws PostgresProblem */
export async function openReader({ readAddress, schema }: Omit<Place, 'owner'>): Promise<pg.Client> {
  const client = await connect(await readAddress());
  try {
    await client.query(`set search_path to ${quoteName(schema)}`);
    await client.query('set default_transaction_read_only to on');
    return client;
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
}

function gone(schema: string, { database }: PostgresAddress): PostgresProblem {
  const what = `the schema ${schema} of the database ${database} no longer has the tables of this node`;
  return new PostgresProblem('foreign', what, 'Name the database that has them, or put them back from a copy.');
}

async function createSchema(client: pg.Client, schema: string, owner: string): Promise<void> {
  await client.query('begin');
  await client.query(`create schema if not exists ${quoteName(schema)}`);
  await client.query(postgresDialect.definition(migrationsTable) ?? '');
  await client.query(
    `create table if not exists "node" ("owner" text not null, "number" bigint not null, "used" text not null)
      with (fillfactor = 10)`,
  );
  // It already has a row if a process was killed between this statement and the first migration.
  await client.query(`insert into "node" select $1, 0, '{}' where not exists (select from "node")`, [owner]);
  await client.query('commit');
}

/** Reads the row of the node in its schema. */
export async function readMark(client: pg.Client): Promise<CommitMark> {
  const { rows } = await client.query<{ number: number; used: string }>('select "number", "used" from "node"');
  const [row] = rows;
  if (row === undefined) throw new PostgresProblem('foreign', 'the row of the node is missing', 'Use an empty schema.');
  const used = valueOf(row.used as JsonText); // `createPostgresPack` wrote it
  const member = (name: string): unknown => (used instanceof Object ? Reflect.get(used, name) : undefined);
  const numbers = tableNames.flatMap((table): [TableName, number][] => {
    const value = member(table);
    return typeof value === 'number' ? [[table, value]] : [];
  });
  const writer = member(writerMember);
  return { number: row.number, writer: typeof writer === 'string' ? writer : undefined, used: new Map(numbers) };
}
