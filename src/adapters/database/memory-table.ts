import type { Condition, Scalar } from '../../wire/query.js';
import { sequenceOf } from './rows.js';
import type { Columns } from './selection.js';
import type { Table } from './tables.js';

/** The committed rows of one table, with indexes. Rows are frozen; a change puts another row in the place of one. */
export interface MemoryTable {
  /** A few rows, in no order, among which are all that meet the conditions. */
  candidates(where: readonly Condition[]): Iterable<Columns>;

  /** Of an order by sequence: the first rows that match, without a look at the others. */
  first(
    where: readonly Condition[],
    matches: (row: Columns) => boolean,
    count: number,
    isDescending: boolean,
  ): Columns[];
  at(sequence: number): Columns | undefined;

  /** The row that has these values in the unique key of this number. */
  owner(key: number, text: string): Columns | undefined;

  /** Applies what a unit changed: the row that stands at each sequence from now on. */
  apply(changes: ReadonlyMap<number, Columns | undefined>): void;
}

export function createMemoryTable({ lookups, uniqueKeys }: Table): MemoryTable {
  /** In order of their sequences. */
  const rows: Columns[] = [];
  const indexes = new Map(lookups.map((column) => [column, new Map<unknown, Set<Columns>>()]));
  const owners = uniqueKeys.map(() => new Map<string, Columns>());

  function indexRow(row: Columns): void {
    for (const [column, index] of indexes) {
      const same = index.get(row[column]);
      if (same) same.add(row);
      else index.set(row[column], new Set([row]));
    }
    for (const [i, text] of keyTexts(uniqueKeys, row)) owners[i]?.set(text, row);
  }

  function forgetRow(row: Columns): void {
    for (const [column, index] of indexes) {
      const same = index.get(row[column]);
      same?.delete(row);
      if (same?.size === 0) index.delete(row[column]);
    }
    for (const [i, text] of keyTexts(uniqueKeys, row)) owners[i]?.delete(text);
  }

  function replace(sequence: number, row: Columns | undefined): void {
    const place = placeOf(rows, sequence);
    const hasRow = rows[place] !== undefined && sequenceOf(rows[place]) === sequence;
    if (row) rows.splice(place, hasRow ? 1 : 0, row);
    else if (hasRow) rows.splice(place, 1);
  }

  function at(sequence: number): Columns | undefined {
    const row = rows[placeOf(rows, sequence)];
    return row !== undefined && sequenceOf(row) === sequence ? row : undefined;
  }

  /** The rows that an index has for an equal or `in` condition. */
  function found(condition: Condition): Iterable<Columns>[] | undefined {
    const values = valuesOf(condition);
    if (values === undefined) return undefined;
    if (condition.field === 'sequence') {
      return [values.map((value) => at(Number(value))).filter((row) => row !== undefined)];
    }
    const index = indexes.get(condition.field);
    return index && values.map<Iterable<Columns>>((value) => index.get(value) ?? []);
  }

  return {
    candidates(where) {
      let best: Iterable<Columns>[] | undefined;
      for (const condition of where) {
        const rowsFound = found(condition);
        if (rowsFound && (best === undefined || sizeOf(rowsFound) < sizeOf(best))) best = rowsFound;
      }
      const [start, end] = rangeOf(rows, where);
      return best && sizeOf(best) <= end - start ? best.flatMap((part) => [...part]) : rows.slice(start, end);
    },

    first(where, matches, count, isDescending) {
      const [start, end] = rangeOf(rows, where);
      const chosen: Columns[] = [];
      for (let i = start; i < end && chosen.length < count; i++) {
        const row = rows[isDescending ? end - 1 - (i - start) : i];
        if (row && matches(row)) chosen.push(row);
      }
      return chosen;
    },

    at,
    owner: (key, text) => owners[key]?.get(text),

    apply(changes) {
      for (const sequence of changes.keys()) {
        const before = at(sequence);
        if (before) forgetRow(before);
      }
      for (const [sequence, row] of changes) {
        replace(sequence, row);
        if (row) indexRow(row);
      }
    },
  };
}

/** The values of each unique key that a row is in, with the number of the key; a null takes a row out of a key. */
export function keyTexts(uniqueKeys: Table['uniqueKeys'], row: Columns): [number, string][] {
  return uniqueKeys.flatMap((key, i): [number, string][] => {
    const values = key.map((column) => row[column]);
    if (values.includes(null)) return [];
    return [[i, values.map((value) => `${String(value).length}:${String(value)}`).join('')]];
  });
}

/** The distinct values of an equal or `in` condition. */
function valuesOf(condition: Condition): Scalar[] | undefined {
  if (condition.is === 'equal') return [condition.value];
  return condition.is === 'in' ? [...new Set(condition.values)] : undefined;
}

function sizeOf(parts: readonly Iterable<Columns>[]): number {
  return parts.reduce(
    (sum, part) => sum + (part instanceof Set ? part.size : Array.isArray(part) ? part.length : 0),
    0,
  );
}

/** Where the rows begin and end that the conditions on the sequence allow. */
function rangeOf(rows: readonly Columns[], where: readonly Condition[]): [number, number] {
  let [start, end] = [0, rows.length];
  for (const condition of where) {
    if (condition.field !== 'sequence' || !('value' in condition)) continue;
    const value = Number(condition.value);
    if (condition.is === 'above') start = Math.max(start, placeOf(rows, Math.floor(value) + 1));
    if (condition.is === 'atLeast' || condition.is === 'equal') start = Math.max(start, placeOf(rows, value));
    if (condition.is === 'below') end = Math.min(end, placeOf(rows, value));
    if (condition.is === 'atMost' || condition.is === 'equal')
      end = Math.min(end, placeOf(rows, Math.floor(value) + 1));
  }
  return [start, Math.max(start, end)];
}

/** The index of the first row whose sequence is not below. */
function placeOf(rows: readonly Columns[], sequence: number): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const row = rows[middle];
    if (row && sequenceOf(row) < sequence) low = middle + 1;
    else high = middle;
  }
  return low;
}
