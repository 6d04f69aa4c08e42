import { textSql } from '../../adapters/database/dialect/ids.js';
import { exists } from '../../supervisor/machine/directory.js';
import { loadSqlite, type Sqlite } from '../engines/sqlite.js';

type Database = InstanceType<Sqlite['Database']>;

/** With `read`, the file may also be given as a URL. */
type Mode = 'read' | 'write';

export interface SavedMessage {
  readonly namespace: string;
  readonly id: string;
  readonly type: string;
  readonly state: string;
  readonly hash: string;
}

export interface SavedBalance {
  readonly namespace: string;
  readonly pool: string;
  readonly tokenIndex: string;
  readonly key: string;
  readonly balance: string;
}

/**
 * Writes the write-ahead log of a copied database back into its file, as SQLite does after a crash, and checks the
 * result.
 *
 * @throws Error if the database is damaged; as `loadSqlite`
 */
export async function settleDatabase(file: string): Promise<void> {
  await withDatabase(file, 'write', async (database) => {
    await query(database, 'pragma wal_checkpoint(truncate)');
    const [row] = await query(database, 'pragma quick_check(1)');
    const verdict = Object.values(row ?? {}).join(' ');
    if (verdict !== 'ok') throw new Error(`The database ${file} is damaged: ${verdict}`);
  });
}

/**
 * The form of a node's database: the number of its last migration; 0 before the first. Creates no file beside it, since
 * a node checks that these files are as it left them.
 *
 * @throws Error if the database cannot be read; as `loadSqlite`
 */
export async function readForm(file: string): Promise<number> {
  const sql = `select 1 from sqlite_master where "type" = 'table' and "name" = 'migrations'`;
  const newest = 'select coalesce(max("number"), 0) as "form" from "migrations"';
  const read = async (database: Database) => {
    if ((await query(database, sql)).length === 0) return 0;
    const [row] = await query(database, newest);
    return Number(row?.['form']);
  };
  // If there is a write-ahead log, the file alone is incomplete.
  if (await exists(`${file}-wal`)) return withDatabase(file, 'read', read);
  return withDatabase(immutableUrl(file), 'read', read);
}

/** Messages in the order of their ids. */
export async function readMessages(file: string): Promise<readonly SavedMessage[]> {
  const ids = `${textSql('"id"')} as "idText", ${textSql('"hash"')} as "hashText"`;
  const rows = await readRows(file, `select "namespace", ${ids}, "type", "state" from "messages" order by "idText"`);
  return rows.map(({ namespace, idText, type, state, hashText }) => ({
    namespace: String(namespace),
    id: String(idText),
    type: String(type),
    state: String(state),
    hash: String(hashText),
  }));
}

/** Balances other than zero, in the order of pools, tokens and keys. */
export async function readBalances(file: string): Promise<readonly SavedBalance[]> {
  const columns = ['namespace', 'pool', 'tokenIndex', 'key'].map((name) => `b."${name}"`).join(', ');
  const rows = await readRows(
    file,
    `select ${columns}, b."balance", p."name" from "balances" b left join "pools" p on p."id" = b."pool"
     where b."balance" not in ('0', '') order by ${columns}`,
  );
  return rows.map(({ namespace, pool, tokenIndex, key, balance, name }) => ({
    namespace: String(namespace),
    pool: String(name ?? pool),
    tokenIndex: typeof tokenIndex === 'string' ? tokenIndex : '',
    key: String(key),
    balance: String(balance),
  }));
}

type Rows = readonly Readonly<Record<string, unknown>>[];

/** Reads without creating files beside the database; no process writes to a snapshot. */
function readRows(file: string, sql: string): Promise<Rows> {
  return withDatabase(immutableUrl(file), 'read', (database) => query(database, sql));
}

function immutableUrl(file: string): string {
  return `file:${encodeURI(file).replaceAll('?', '%3f').replaceAll('#', '%23')}?immutable=1`;
}

async function withDatabase<Result>(
  file: string,
  mode: Mode,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const driver = await loadSqlite();
  const flags = mode === 'write' ? driver.OPEN_READWRITE : driver.OPEN_READONLY | driver.OPEN_URI;
  const database = await new Promise<Database>((resolve, reject) => {
    const opened: Database = new driver.Database(file, flags, (error) => {
      if (error === null) resolve(opened);
      else reject(error);
    });
  });
  try {
    return await work(database);
  } finally {
    await new Promise<void>((resolve, reject) => {
      database.close((error) => {
        if (error === null) resolve();
        else reject(error);
      });
    });
  }
}

function query(database: Database, sql: string): Promise<Rows> {
  return new Promise((resolve, reject) => {
    database.all<Readonly<Record<string, unknown>>>(sql, (error, rows) => {
      if (error === null) resolve(rows);
      else reject(error);
    });
  });
}
