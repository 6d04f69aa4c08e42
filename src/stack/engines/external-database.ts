import { readFile } from 'node:fs/promises';
import type pg from 'pg';
import { parsePostgresAddress, type PostgresAddress, serverOf } from '../../postgres/address.js';
import { connectPostgres } from '../../postgres/connect.js';
import { takeLock } from '../../postgres/lock.js';
import { connectProblem, PostgresProblem, type PostgresReason } from '../../postgres/problem.js';
import { dropSchema, inspectSchema } from '../../postgres/schema.js';
import type { PostgresSettings } from '../settings/database-settings.js';
import type { StackSettings } from '../definition/definition.js';
import { StackError, type StackErrorCode } from '../error.js';
import { checkUserFiles } from '../keys/keys.js';
import { isErrno } from '../../supervisor/files/json-file.js';

const codes: Readonly<Record<PostgresReason, StackErrorCode>> = {
  unreachable: 'DATABASE_UNREACHABLE',
  refused: 'DATABASE_UNSUITABLE',
  unsuitable: 'DATABASE_UNSUITABLE',
  foreign: 'DATABASE_MISMATCH',
  in_use: 'DATABASE_MISMATCH',
};

/** The schema of a party's node, as it was found. */
export interface FoundDatabase {
  readonly party: string;
  readonly server: string;
  readonly database: string;
  readonly schema: string;
  /** The form of its tables; 0 if there are none. */
  readonly form: number;
}

/** The name under which a schema records its node. */
export function databaseOwner(settings: Pick<StackSettings, 'name'>, party: string): string {
  return `${settings.name}/${party}`;
}

/** The parties whose nodes have PostgreSQL. */
export function postgresParties({ parties }: Pick<StackSettings, 'parties'>) {
  return parties.flatMap(({ name, database }) => (database === undefined ? [] : [{ name, database }]));
}

/**
 * Checks the databases of all parties on PostgreSQL. Changes nothing.
 *
 * @param isStopped whether no node of the stack runs, so that no other process may use their schemas
 * @throws StackError DATABASE_UNREACHABLE, DATABASE_UNSUITABLE, DATABASE_MISMATCH, KEY_INVALID, KEY_NOT_PRIVATE
 */
export async function inspectDatabases(
  settings: StackSettings,
  { isStopped = false }: { readonly isStopped?: boolean } = {},
): Promise<readonly FoundDatabase[]> {
  const parties = postgresParties(settings);
  if (parties.length === 0) return [];
  await checkUserFiles(settings);
  const found: FoundDatabase[] = [];
  for (const { name, database } of parties) {
    found.push(
      await withClient(name, database, async (client, address) => {
        const { schema } = database;
        const { form } = await inspectSchema(client, address, schema, databaseOwner(settings, name));
        if (isStopped) await takeLock(client, address, schema);
        return { party: name, server: serverOf(address), database: address.database, schema, form };
      }),
    );
  }
  return found;
}

/** Deletes the schemas of parties with all data of their nodes. @throws StackError as `inspectDatabases` */
export async function dropDatabases(settings: StackSettings): Promise<void> {
  for (const { name, database } of postgresParties(settings)) {
    await withClient(name, database, async (client, address) => {
      await takeLock(client, address, database.schema);
      await dropSchema(client, address, database.schema, databaseOwner(settings, name));
    });
  }
}

/** The servers of all parties on PostgreSQL. @throws StackError KEY_INVALID */
export async function databaseServers(settings: StackSettings): Promise<readonly Pick<PostgresAddress, 'host'>[]> {
  return Promise.all(postgresParties(settings).map(({ database }) => readAddress(database.urlFile)));
}

async function withClient<R>(
  party: string,
  { urlFile }: PostgresSettings,
  work: (client: pg.Client, address: PostgresAddress) => Promise<R>,
): Promise<R> {
  const address = await readAddress(urlFile);
  let client: pg.Client | undefined;
  try {
    client = await connectPostgres(address);
    return await work(client, address);
  } catch (cause) {
    const problem = cause instanceof PostgresProblem ? cause : connectProblem(cause, address);
    throw new StackError(codes[problem.reason], `database.url: ${problem.message}.`, {
      hint: problem.remedy,
      details: { party },
      cause,
    });
  } finally {
    await client?.end().catch(() => undefined);
  }
}

async function readAddress(file: string): Promise<PostgresAddress> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    const why = isErrno(cause, 'ENOENT') ? 'there is no such file' : 'this user may not read it';
    throw new StackError('KEY_INVALID', `database.url: ${file} cannot be read: ${why}.`, {
      hint: 'Restore the file; or, to remove the stack and leave its database: stack remove --force',
      cause,
    });
  });
  try {
    return parsePostgresAddress(text);
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : String(cause);
    throw new StackError('KEY_INVALID', `database.url: ${file}: ${problem}.`, {
      hint: 'The file must contain only the address of the database, with user and password.',
    });
  }
}
