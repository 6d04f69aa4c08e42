import type { Database, Lists } from '../../ports/database.js';
import { createCachedReads } from './resident/cached-reads.js';
import type { GroupCommit } from './units/commit.js';
import type { Connection } from './connection.js';
import type { ResidentView } from './resident/store.js';
import { keysOf, typedReads } from './typed.js';

interface DatabaseParts {
  /** Sees only committed rows. */
  readonly reader: Connection;
  readonly commits: GroupCommit;
  readonly resident: ResidentView;
  readonly lists: Lists;
  /** Releases the connections. */
  readonly close: () => Promise<void>;
}

/** Creates the database of an open engine. `close` waits for running calls; later calls are refused. */
export function databaseOn({ reader, commits, resident, lists, close }: DatabaseParts): Database {
  const pending = new Set<Promise<unknown>>();
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
    pending.add(done);
    void done.then(() => pending.delete(done));
    return read;
  }

  const reads = createCachedReads(resident, reader.dialect, (_table, _selection, statement) =>
    reading(() => reader.rows(statement)),
  );

  return {
    ...typedReads({
      find: (table, query) => whileOpen(() => reads.find(table, query)),
      values: (table, column, query) => whileOpen(() => reads.values(table, column, query)),
      exact: (table, keys) => whileOpen(() => reads.exact(table, keys)),
      count: (table, selection) => whileOpen(() => reads.count(table, selection)),
    }),
    lists: {
      find: (table, query, signal) => reading(() => lists.find(table, query, signal)),
      count: (table, selection, signal) => reading(() => lists.count(table, selection, signal)),
    },
    transaction: (unit, options) => whileOpen(() => commits.transaction(unit, options)),
    texts: (table, shape, key, rows) =>
      reading(async () => {
        const { statement, read } = reader.dialect.texts(table, shape, keysOf(key, rows));
        return read(await reader.rows(statement));
      }),
    close() {
      closing ??= commits
        .drain()
        .then(() => Promise.all(pending))
        .then(close);
      return closing;
    },
  };
}
