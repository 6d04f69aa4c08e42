import type { Condition } from '../../../wire/lists/query.js';
import { createMemoryIndex } from './index.js';
import { type Columns, sequenceOf } from '../statements/selection.js';
import type { Table } from '../tables/tables.js';

/** The committed rows of one table. Rows are frozen; a change replaces a row. */
export interface MemoryTable {
  /** Returns a small set of rows, in no order, that contains all rows that meet the conditions. */
  candidates(where: readonly Condition[]): Columns[];

  /** For an order by sequence: returns the first rows that match, without reading all others. */
  first(where: readonly Condition[], choice: Choice): Columns[];

  at(sequence: number): Columns | undefined;

  /** The row with these values in the unique key with this number. */
  owner(key: number, text: string): Columns | undefined;

  /** Applies the changes of a unit: the new row of each sequence, or undefined where it was removed. */
  apply(changes: ReadonlyMap<number, Columns | undefined>): void;
}

/** Selects rows, in the order of their sequences. */
export interface Choice {
  readonly matches: (row: Columns) => boolean;
  readonly count: number;
  readonly isDescending: boolean;
}

/** An index is used if it leaves at most one in this many rows: its rows must be sorted, and all of them read. */
const minGain = 4;

export function createMemoryTable(table: Table): MemoryTable {
  const rows = new Map<number, Columns>();
  /** The sequences of all rows, ascending. */
  const order: number[] = [];
  const index = createMemoryIndex(table);

  function put(row: Columns): void {
    const sequence = sequenceOf(row);
    const before = rows.get(sequence);
    if (before === undefined) order.splice(placeOf(order, sequence), 0, sequence);
    rows.set(sequence, row);
    index.remember(row, before);
  }

  const existing = (sequences: readonly number[]): Columns[] =>
    sequences.map((sequence) => rows.get(sequence)).filter((row) => row !== undefined);

  return {
    candidates(where) {
      const [start, end] = rangeOf(order, where);
      return existing(index.sequences(where, end - start) ?? order.slice(start, end));
    },

    first(where, { matches, count, isDescending }) {
      const [start, end] = rangeOf(order, where);
      const few = index.sequences(where, (end - start) / minGain)?.sort((a, b) => (isDescending ? b - a : a - b));
      if (few) return existing(few).filter(matches).slice(0, count);
      const chosen: Columns[] = [];
      for (let i = start; i < end && chosen.length < count; i++) {
        const row = rows.get(order[isDescending ? end - 1 - (i - start) : i] ?? 0);
        if (row && matches(row)) chosen.push(row);
      }
      return chosen;
    },

    at: (sequence) => rows.get(sequence),
    owner: (key, text) => rows.get(index.owner(key, text) ?? 0),

    apply(changes) {
      // All old rows are removed before any new one is added, since a key may pass from one row to another.
      for (const [sequence, row] of changes) {
        const before = rows.get(sequence);
        if (before) index.forget(before, row);
      }
      for (const [sequence, row] of changes) {
        if (row) put(row);
        else if (rows.delete(sequence)) order.splice(placeOf(order, sequence), 1);
      }
    },
  };
}

/** The start and end of the sequences that the conditions on them allow. */
function rangeOf(order: readonly number[], where: readonly Condition[]): [number, number] {
  let [start, end] = [0, order.length];
  for (const condition of where) {
    if (!('field' in condition) || condition.field !== 'sequence' || !('value' in condition)) continue;
    const value = Number(condition.value);
    if (condition.is === 'above') start = Math.max(start, placeOf(order, Math.floor(value) + 1));
    if (condition.is === 'atLeast' || condition.is === 'equal') start = Math.max(start, placeOf(order, value));
    if (condition.is === 'below') end = Math.min(end, placeOf(order, value));
    if (condition.is === 'atMost' || condition.is === 'equal')
      end = Math.min(end, placeOf(order, Math.floor(value) + 1));
  }
  return [start, Math.max(start, end)];
}

/** The index of the first sequence that is not below this one. */
function placeOf(order: readonly number[], sequence: number): number {
  let [low, high] = [0, order.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((order[middle] ?? 0) < sequence) low = middle + 1;
    else high = middle;
  }
  return low;
}
