import type { ListQuery } from '../../../ports/database.js';
import type { Selection } from '../typed.js';
import type { Keys } from '../../../ports/tables/shape.js';
import type { TableName } from '../../../ports/tables/tables.js';
import { type Condition, type Scalar, totalOrder } from '../../../wire/lists/query.js';
import { keyText } from '../memory/index.js';
import { type Choice, createMemoryTable, type MemoryTable } from '../memory/table.js';
import { isOpenRow, maxRecentCharacters, meansOpen, type Residence } from './residences.js';
import { assertQuery, type Columns, keyNumber, matcherOf, orderOf, sequenceOf } from '../statements/selection.js';
import { tables } from '../tables/tables.js';

/** The cached rows of one table, as seen by one reader. */
export interface Residents {
  readonly residence: Residence;
  /** A small set of rows that contains all cached rows that meet the conditions. */
  candidates(where: readonly Condition[]): Columns[];
  /** The first cached rows that match, by sequence, without reading all others. */
  first(where: readonly Condition[], choice: Choice): Columns[];
  at(sequence: number): Columns | undefined;
  /** The row with these values in the unique key with this number. */
  owner(key: number, text: string): Columns | undefined;
  /** Whether the cache is complete: it has all open rows, and its rows are current. */
  isWhole(): boolean;
  /** For a log: all rows after this sequence are cached. */
  floor(): number;
}

/** The committed cached rows, which change with each commit. */
export interface CommittedResidents extends Residents {
  /** Sets the open rows after they were read; `undefined` if there are too many. */
  fill(rows: readonly Columns[] | undefined, floor: number): void;
  /** Applies the new row of each sequence, or its removal. Rows that are no longer open become recent. */
  apply(changes: ReadonlyMap<number, Columns | undefined>): void;
  /** Marks the cached rows as incomplete. */
  distrust(): void;
}

/** Creates an empty, incomplete cache; `fill` completes it. */
export function createCommittedResidents(table: TableName, residence: Residence): CommittedResidents {
  let rows: MemoryTable = createMemoryTable(tables[table]);
  let recent = createRecent(residence);
  let open = 0;
  let isWhole = false;
  let floor = 0;

  function distrust(): void {
    [rows, recent, open, isWhole] = [createMemoryTable(tables[table]), createRecent(residence), 0, false];
  }

  return {
    residence,
    candidates: (where) => rows.candidates(where),
    first: (where, choice) => rows.first(where, choice),
    at: (sequence) => rows.at(sequence),
    owner: (key, text) => rows.owner(key, text),
    isWhole: () => isWhole,
    floor: () => floor,
    fill(read, after) {
      distrust();
      if (read === undefined) return;
      rows.apply(new Map(read.map((row) => [sequenceOf(row), row])));
      [open, isWhole, floor] = [read.length, true, after];
    },
    apply(changes) {
      if (!isWhole) return;
      for (const [sequence, row] of changes) {
        const before = rows.at(sequence);
        if (before !== undefined && isOpenRow(residence, before)) open -= 1;
        if (row !== undefined && isOpenRow(residence, row)) open += 1;
      }
      if (open > residence.maxOpen) return distrust();
      rows.apply(changes);
      const leaving = new Map<number, undefined>();
      for (const [sequence, row] of changes) {
        if (row === undefined || isOpenRow(residence, row)) recent.forget(sequence);
        else for (const gone of recent.keep(sequence, row)) leaving.set(gone, undefined);
      }
      if (leaving.size > 0) rows.apply(leaving);
      for (const gone of leaving.keys()) floor = Math.max(floor, gone);
    },
    distrust,
  };
}

/** The cached rows that are not open, in the order of their last change. */
function createRecent({ maxRecent }: Residence) {
  const sizes = new Map<number, number>();
  let characters = 0;

  function forget(sequence: number): void {
    characters -= sizes.get(sequence) ?? 0;
    sizes.delete(sequence);
  }

  return {
    forget,
    /** Adds a row and returns the sequences of the rows to evict, possibly its own. */
    keep(sequence: number, row: Columns): readonly number[] {
      forget(sequence);
      const size = charactersOf(row);
      sizes.set(sequence, size);
      characters += size;
      const leaving: number[] = [];
      for (const oldest of sizes.keys()) {
        if (sizes.size <= maxRecent && characters <= maxRecentCharacters) break;
        forget(oldest);
        leaving.push(oldest);
      }
      return leaving;
    },
  };
}

function charactersOf(row: Columns): number {
  let characters = 0;
  for (const name in row) {
    const value = row[name];
    if (typeof value === 'string') characters += value.length;
    else if (Array.isArray(value)) characters += 100 * value.length;
  }
  return characters;
}

/** The rows of a query, in its order; undefined if the file may have more of them. */
export function findResident(table: TableName, residents: Residents, query: ListQuery): readonly Columns[] | undefined {
  assertQuery(table, query);
  const rows = listed(table, residents, query.where);
  if (rows === undefined) return undefined;
  const matches = matcherOf(table, query);
  const start = query.skip ?? 0;
  const end = start + query.limit;
  const [order] = totalOrder(query.sort);
  if (rows === 'all' && order?.field === 'sequence') {
    const choice = { matches, count: end, isDescending: order.descending ?? false };
    return residents.first(query.where, choice).slice(start);
  }
  const found = rows === 'all' ? residents.candidates(query.where) : rows;
  return found.filter(matches).sort(orderOf(query.sort)).slice(start, end);
}

/** The rows of a selection, in no order; undefined if the file may have more of them. */
export function selectResident(table: TableName, residents: Residents, selection: Selection): Columns[] | undefined {
  const rows = listed(table, residents, selection.where);
  const found = rows === 'all' ? residents.candidates(selection.where) : rows;
  return found?.filter(matcherOf(table, selection));
}

/**
 * The cached rows that conditions name, or `all` if they name none and all selected rows are cached; undefined if the
 * file may have more.
 */
function listed(table: TableName, residents: Residents, where: readonly Condition[]): Columns[] | 'all' | undefined {
  if (!residents.isWhole()) return undefined;
  const { residence } = residents;
  const isHere = meansOpen(residence, where) || (residence.isLog === true && isAfter(where, residents.floor()));
  return isHere ? (owners(table, residents, where) ?? 'all') : named(table, residents, where);
}

/** Looks up values of a unique key: returns the cached rows, and the values that must be read from the file. */
export function exactResident<T extends TableName>(
  table: T,
  residents: Residents,
  { columns, values }: Keys<T>,
): { readonly rows: Set<Columns>; readonly missing: Keys<T>['values'] } {
  const rows = new Set<Columns>();
  if (!residents.isWhole()) return { rows, missing: values };
  const missing: (readonly string[])[] = [];
  const number = keyNumber(table, columns);
  const key = tables[table].uniqueKeys[number] ?? [];
  for (const value of values) {
    const named = Object.fromEntries(columns.map((column, index) => [column, value[index] ?? '']));
    const row = residents.owner(number, keyText(key, named) ?? '');
    if (row !== undefined) rows.add(row);
    else if (residents.residence.open !== 'all') missing.push(value);
  }
  return { rows, missing };
}

/** All cached rows of a selection, even if the file has more. */
export function matching(table: TableName, residents: Residents, selection: Selection): Columns[] {
  return residents.candidates(selection.where).filter(matcherOf(table, selection));
}

function isAfter(where: readonly Condition[], floor: number): boolean {
  return where.some(
    (each) => 'field' in each && each.field === 'sequence' && each.is === 'above' && Number(each.value) >= floor,
  );
}

/** The number of combinations of key values up to which they are looked up one by one. */
const maxNamed = 400;

/** The rows that conditions name by sequence or by a unique key; undefined if they name none, or one is not cached. */
function named(table: TableName, residents: Residents, where: readonly Condition[]): Columns[] | undefined {
  const sequences = valuesOf(where, 'sequence');
  if (sequences !== undefined) return allOf(sequences, (value) => residents.at(Number(value)));
  for (const [index, key] of tables[table].uniqueKeys.entries()) {
    const texts = textsOf(key, where);
    if (texts !== undefined) return allOf(texts, (text) => residents.owner(index, text));
  }
  return undefined;
}

/** The cached rows that conditions name by a unique key of several columns; undefined if they name none. */
function owners(table: TableName, residents: Residents, where: readonly Condition[]): Columns[] | undefined {
  for (const [index, key] of tables[table].uniqueKeys.entries()) {
    const texts = key.length > 1 ? textsOf(key, where) : undefined;
    if (texts === undefined) continue;
    return [...new Set(texts)].flatMap((text): Columns[] => {
      const row = residents.owner(index, text);
      return row === undefined ? [] : [row];
    });
  }
  return undefined;
}

function allOf<V>(values: readonly V[], find: (value: V) => Columns | undefined): Columns[] | undefined {
  const rows = new Set<Columns>();
  for (const value of values) {
    const row = find(value);
    if (row === undefined) return undefined;
    rows.add(row);
  }
  return [...rows];
}

/** All values that a unique key can have under these conditions. */
function textsOf(key: readonly string[], where: readonly Condition[]): readonly string[] | undefined {
  let combinations: Columns[] = [{}];
  for (const column of key) {
    const values = valuesOf(where, column);
    if (values === undefined || values.length * combinations.length > maxNamed) return undefined;
    combinations = combinations.flatMap((before) => values.map((value) => ({ ...before, [column]: value })));
  }
  return combinations.flatMap((each) => keyText(key, each) ?? []);
}

function valuesOf(where: readonly Condition[], column: string): readonly Scalar[] | undefined {
  for (const condition of where) {
    if (!('field' in condition) || condition.field !== column) continue;
    if (condition.is === 'equal') return [condition.value];
    if (condition.is === 'in') return condition.values;
  }
  return undefined;
}
