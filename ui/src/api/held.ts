import { joinTail } from './join.js';

/** The rows of a list that are in the page. */
export interface Held<Row> {
  readonly key: string;
  readonly rows: readonly Row[];
  readonly isWhole: boolean;
  /** Rows before these that were let go. */
  readonly skipped: number;
}

export const pageRows = 100;
/** A list holds no more of what it has read. */
export const maxRows = 5_000;
/** How many of its first rows a full list lets go for the next page. */
const letGoRows = 1_000;

/** The held rows with the next page behind them. */
export function withPage<Row>(held: Held<Row>, next: readonly Row[], keyOf: (row: Row) => string): Held<Row> {
  const rows = joinTail(held.rows, next, keyOf);
  const letGo = rows.length > maxRows ? letGoRows : 0;
  return { key: held.key, rows: rows.slice(letGo), isWhole: next.length < pageRows, skipped: held.skipped + letGo };
}
