import type { Stored } from './rows.js';

/** A value that is bound to a placeholder in a statement; only PostgreSQL takes lists. */
export type Binding = Stored | Buffer | readonly Stored[];

/**
 * SQL with its bindings, each at a `?`. Names of tables and columns come only from `tables.ts`; values are bound (for
 * literals see `word` in `tables/kind.ts`).
 */
export interface Statement {
  /** `script`: several statements without bindings and without an answer. It may begin a transaction. */
  readonly method: 'select' | 'insert' | 'update' | 'del' | 'raw' | 'script';
  readonly sql: string;
  readonly bindings: readonly Binding[];
}

/** A statement without bindings, from constant text. */
export function plain(sql: string): Statement {
  return { method: 'raw', sql, bindings: [] };
}

/** Joins statements that read into one, which returns the rows of all of them at one moment. */
export function together(statements: readonly Statement[]): Statement {
  const parts = statements.map(({ sql }, index) => `select * from (${sql}) as "part${index}"`);
  return { method: 'select', sql: parts.join(' union all '), bindings: statements.flatMap((each) => each.bindings) };
}

/** Quotes the name of a table or column. */
export function quote(name: string): string {
  return `"${name}"`;
}
