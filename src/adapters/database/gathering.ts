import type { TableName } from '../../ports/tables.js';
import { type InsertMode, insertStatements } from './query.js';
import type { Columns } from './selection.js';
import type { Connection } from './sqlite.js';
import { tableNames } from './tables.js';

/** New rows that wait to be written by few statements of many rows. */
export interface Gathering {
  add(table: TableName, mode: InsertMode, rows: readonly Columns[]): void;

  /** Whether a row that waits is meant. */
  has(table: TableName, matches: (row: Columns) => boolean): boolean;

  /** Writes what waits for these tables, in the order in which it came; resolves with whether there was any. */
  flush(connection: Connection, names?: readonly TableName[]): Promise<boolean>;

  /** Adds all rows of another, which came later. */
  append(later: Gathering): void;
  rows(table: TableName): readonly Segment[];
  clear(): void;
}

interface Segment {
  readonly mode: InsertMode;
  readonly rows: Columns[];
}

export function createGathering(): Gathering {
  const waiting = new Map<TableName, Segment[]>();

  function add(table: TableName, mode: InsertMode, rows: readonly Columns[]): void {
    const segments = waiting.get(table) ?? [];
    waiting.set(table, segments);
    const last = segments.at(-1);
    if (last?.mode === mode) last.rows.push(...rows);
    else if (rows.length > 0) segments.push({ mode, rows: [...rows] });
  }

  return {
    add,
    has: (table, matches) => waiting.get(table)?.some(({ rows }) => rows.some(matches)) ?? false,

    async flush(connection, names = tableNames) {
      const statements = names.flatMap((table) => {
        const segments = waiting.get(table) ?? [];
        waiting.delete(table);
        return segments.flatMap(({ mode, rows }) => insertStatements(table, mode, rows));
      });
      for (const statement of statements) await connection.change(statement);
      return statements.length > 0;
    },

    append(later) {
      for (const table of tableNames) for (const { mode, rows } of later.rows(table)) add(table, mode, rows);
    },

    rows: (table) => waiting.get(table) ?? [],
    clear: () => waiting.clear(),
  };
}
