import { mergeTail } from './merge-rows.js';

/** The rows of a list that are in memory. */
export interface LoadedRows<Row> {
  /** Identifies the list, filters, time range and order. */
  readonly key: string;
  /** The parameters that the rows were read with. With a relative time range they change while the key stays. */
  readonly query: string;
  readonly rows: readonly Row[];
  /** Whether the last row of the list is here. */
  readonly isComplete: boolean;
  /** The number of rows before these that were dropped. */
  readonly skipped: number;
}

export const pageRows = 100;
export const maxRows = 5_000;
/** The number of rows that a full list drops from its start to make room for the next page. */
const droppedRows = 1_000;

export function withNextPage<Row>(
  loaded: LoadedRows<Row>,
  next: readonly Row[],
  keyOf: (row: Row) => string,
): LoadedRows<Row> {
  const rows = mergeTail(loaded.rows, next, keyOf);
  const dropped = rows.length > maxRows ? droppedRows : 0;
  return {
    ...loaded,
    rows: rows.slice(dropped),
    isComplete: next.length < pageRows,
    skipped: loaded.skipped + dropped,
  };
}
