import type { Stored } from './rows.js';

/** A value that is bound to a place in a statement; only PostgreSQL takes lists. */
export type Binding = Stored | Buffer | readonly Stored[];

/**
 * SQL with its bindings, each at a `?`. Names of tables and columns come from `tables.ts` only; values are bound (for
 * `word` see there).
 */
export interface Statement {
  /** `script`: several statements, none with bindings, of which nothing is answered. It may begin a transaction. */
  readonly method: 'select' | 'insert' | 'update' | 'del' | 'raw' | 'script';
  readonly sql: string;
  readonly bindings: readonly Binding[];
}

/** A statement without bindings, from constant text. */
export function plain(sql: string): Statement {
  return { method: 'raw', sql, bindings: [] };
}

/** Quotes the name of a table or column. */
export function quote(name: string): string {
  return `"${name}"`;
}
