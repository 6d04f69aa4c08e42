import type { TableName } from '../../../ports/tables/tables.js';
import type { Columns } from '../statements/selection.js';
import { tableNames } from '../tables/tables.js';
import { isSameKind, type Write } from './write.js';

/** New and changed rows that wait to be written with few statements. */
export interface WriteBuffer {
  add(write: Write): void;

  /** Whether a waiting row may match; it is unknown which rows a change or removal affects. */
  has(table: TableName, matches: (row: Columns) => boolean): boolean;

  /** Removes and returns the waiting writes of these tables, in the order in which they were added. */
  take(tables?: readonly TableName[]): readonly Write[];

  /** Adds all writes of another buffer, which are later ones. */
  append(later: WriteBuffer): void;
}

interface Waiting extends Write {
  readonly rows: Columns[];
}

export function createWriteBuffer(): WriteBuffer {
  const waiting = new Map<TableName, Waiting[]>();

  function add(write: Write): void {
    if (write.rows.length === 0) return;
    const writes = waiting.get(write.table) ?? [];
    waiting.set(write.table, writes);
    const last = writes.at(-1);
    if (last !== undefined && isSameKind(last, write)) for (const row of write.rows) last.rows.push(row);
    else writes.push({ ...write, rows: [...write.rows] });
  }

  function take(names: readonly TableName[] = tableNames): readonly Write[] {
    return names.flatMap((table) => {
      const writes = waiting.get(table) ?? [];
      waiting.delete(table);
      return writes;
    });
  }

  return {
    add,
    has: (table, matches) =>
      waiting.get(table)?.some(({ mode, rows }) => mode === 'update' || mode === 'remove' || rows.some(matches)) ??
      false,
    take,
    append(later) {
      for (const write of later.take()) add(write);
    },
  };
}
