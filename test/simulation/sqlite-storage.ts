import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Connection } from '../../src/adapters/database/connection.js';
import { createKnexDatabase } from '../../src/adapters/database/knex.js';
import { openSqlite, type Sqlite, type SqliteParts } from '../../src/adapters/database/sqlite.js';
import { createSilentLog } from '../../src/adapters/log/silent.js';
import type { Database } from '../../src/ports/database.js';
import type { DiskCalls } from './disk-calls.js';
import type { Storage } from './storage.js';

export interface SqliteStorageParts {
  readonly calls: DiskCalls;
  readonly onFailure: (error: Error) => void;
}

interface Opened {
  readonly database: Database;
  /** Closes the connections in the middle of their work. */
  readonly cut: () => Promise<void>;
}

/** A node's database as in production: SQLite in a file, with the rows that it keeps in memory. */
export function createSqliteStorage({ calls, onFailure }: SqliteStorageParts): Storage {
  const folder = mkdtempSync(join(tmpdir(), 'simulation-'));
  let last: Promise<Opened> | undefined;

  async function openAfter(before: typeof last): Promise<Opened> {
    await (await before)?.cut();
    const sqlites: Sqlite[] = [];
    const open = async (parts: SqliteParts): Promise<Sqlite> => {
      const sqlite = await openSqlite(parts);
      sqlites.push(sqlite);
      return inOrder(sqlite, calls);
    };
    const database = await createKnexDatabase({ file: join(folder, 'node.db'), log: createSilentLog(), open });
    const cut = async (): Promise<void> => {
      for (const sqlite of sqlites) await sqlite.close();
    };
    return { database, cut };
  }

  async function current(): Promise<Database> {
    if (last === undefined) throw new Error('the node has never been started');
    return (await last).database;
  }

  return {
    open() {
      const before = last;
      const opening = calls.meanwhile(() => openAfter(before));
      opening.catch((cause: unknown) => onFailure(new Error('the database does not open', { cause })));
      last = opening;
      // A life begins before its database is open.
      return forwarded(async () => (await opening).database);
    },
    disk: { ...forwarded(current), find: async (table, query) => (await current()).lists.find(table, query) },
    async release() {
      await (await last?.catch(() => undefined))?.cut();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Runs statements of all connections of all nodes one after the other. */
function inOrder(sqlite: Sqlite, { inTurn }: DiskCalls): Sqlite {
  const ordered = <C extends Connection>(connection: C): C => ({
    ...connection,
    rows: (statement) => inTurn(() => connection.rows(statement)),
    change: (statement) => inTurn(() => connection.change(statement)),
  });
  return {
    ...sqlite,
    writer: ordered(sqlite.writer),
    reader: ordered(sqlite.reader),
    async openLimited() {
      const limited = await sqlite.openLimited();
      return { rows: (statement, limit) => inTurn(() => limited.rows(statement, limit)) };
    },
  };
}

/** A database whose calls are forwarded to the database that is open when they are made. */
function forwarded(find: () => Promise<Database>): Database {
  return {
    first: async (table, where, by) => (await find()).first(table, where, by),
    last: async (table, where, by) => (await find()).last(table, where, by),
    rows: async (table, where, options) => (await find()).rows(table, where, options),
    values: async (table, column, where, options) => (await find()).values(table, column, where, options),
    exact: async (table, key, rows) => (await find()).exact(table, key, rows),
    has: async (table, where) => (await find()).has(table, where),
    count: async (table, where) => (await find()).count(table, where),
    texts: async (table, shape, key, rows) => (await find()).texts(table, shape, key, rows),
    lists: {
      find: async (table, query, signal) => (await find()).lists.find(table, query, signal),
      count: async (table, selection, signal) => (await find()).lists.count(table, selection, signal),
    },
    transaction: async (unit, options) => (await find()).transaction(unit, options),
    close: async () => (await find()).close(),
  };
}
