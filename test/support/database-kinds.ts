import { afterAll } from 'vitest';
import type { DatabaseKind } from './disk.js';
import { hasNoPostgres, type PostgresServer, startPostgres } from './postgres.js';

/** The server of a test file, started on first use. */
let server: Promise<PostgresServer> | undefined;

/** Every kind of database, for `describe.each`; PostgreSQL is left out where it is missing and not required. */
export function useDatabaseKinds(): readonly DatabaseKind[] {
  afterAll(async () => {
    await (await server)?.stop();
    server = undefined;
  });
  return hasNoPostgres ? ['memory', 'SQLite'] : ['memory', 'SQLite', 'PostgreSQL'];
}

/** The server for databases of kind PostgreSQL; only in files with `useDatabaseKinds`, which stops it. */
export function sharedPostgres(): Promise<PostgresServer> {
  // A test loses no server: what its units have written is not synced.
  server ??= startPostgres(['-c', 'fsync=off']);
  return server;
}
