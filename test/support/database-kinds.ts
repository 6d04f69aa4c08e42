import type { DatabaseKind } from './disk.js';
import { hasNoPostgres } from './postgres.js';

/** Every kind of database, for `describe.each`; PostgreSQL is left out where it is missing and not required. */
export const databaseKinds: readonly DatabaseKind[] = hasNoPostgres
  ? ['memory', 'SQLite']
  : ['memory', 'SQLite', 'PostgreSQL'];
