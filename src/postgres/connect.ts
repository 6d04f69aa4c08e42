import type pg from 'pg';
import type { PostgresAddress } from './address.js';
import { connectProblem } from './problem.js';

const connectTimeoutMs = 5_000;
const keepAliveMs = 10_000;

/**
 * Settings of each session. An answer comes when the commit is on disk. Plans do not depend on a table's age: where an
 * index serves, it is used. A server that lost its client notices it within half a minute, and gives its lock free.
 * The server's own limits of sessions do not apply: an idle session holds the lock of its schema, and a list with a
 * limited time sets that itself.
 */
const settings = {
  synchronous_commit: 'on',
  default_transaction_isolation: 'read\\ committed',
  idle_session_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  statement_timeout: '0',
  lock_timeout: '0',
  enable_seqscan: 'off',
  jit: 'off',
  client_min_messages: 'error',
  timezone: 'UTC',
  tcp_keepalives_idle: '10',
  tcp_keepalives_interval: '5',
  tcp_keepalives_count: '3',
};

/** The same for settings that older servers refuse, and PostgreSQL 17 knows. */
const newerLimits = ['transaction_timeout'];

/** Removes those of these limits that the server knows, for this session. Returns their names. */
export async function removeLimits(client: pg.Client, names: readonly string[]): Promise<readonly string[]> {
  const list = names.map((name) => `'${name}'`).join();
  const sql = `select name, set_config(name, '0', false) from pg_settings where name in (${list})`;
  const { rows } = await client.query<{ readonly name: string }>(sql);
  return rows.map(({ name }) => name);
}

/** Converts the text of a value by the number of its type. */
export type ReadValue = (type: number) => (value: string | Buffer) => unknown;

const bigint = 20;
const integer = 23;
const boolean = 16;

/** Numbers for whole numbers, texts for all others. */
export const readPlain: ReadValue = (type) => {
  if (type === bigint || type === integer) return Number;
  return type === boolean ? (value) => value === 't' : String;
};

/**
 * Connects to a server. Nothing comes from the environment or the files of the user.
 *
 * @throws PostgresProblem
 */
export async function connectPostgres(address: PostgresAddress, readValue = readPlain): Promise<pg.Client> {
  const { host, port, user, password, database, tls } = address;
  // Loading it takes 20 ms, since it loads Node's `fetch`; most commands and nodes never need it.
  const { default: driver } = await import('pg');
  const client = new driver.Client({
    host,
    port,
    user,
    database,
    password: () => password,
    ssl: tls === 'none' ? false : { rejectUnauthorized: tls === 'verified' },
    application_name: 'parley',
    options: Object.entries(settings)
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
    types: { getTypeParser: readValue },
  });
  // A connection that breaks while it is opened rejects; later its owner listens, too.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await removeLimits(client, newerLimits);
    return client;
  } catch (error) {
    void client.end().catch(() => undefined);
    throw connectProblem(error, address);
  }
}
