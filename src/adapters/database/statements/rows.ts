import assert from 'node:assert/strict';
import type { TableName, Tables } from '../../../ports/tables/tables.js';
import { textOf, valueOf } from '../../../wire/json/json.js';
import type { JsonText } from '../../../wire/scalar.js';
import type { Columns } from './selection.js';
import { baseOf, isLong, tableNames, tables } from '../tables/tables.js';

/** A value that the driver stores in a column. */
export type Stored = string | number | null;

export interface Column {
  readonly name: string;
  readonly base: ReturnType<typeof baseOf>;
  readonly isNullable: boolean;
  readonly isLong: boolean;
}

const columnsByTable = new Map(tableNames.map((name) => [name, columnsIn(name)]));

const namesByTable = new Map(
  [...columnsByTable].map(([table, columns]) => [table, ['sequence', ...columns.map(({ name }) => name)]]),
);

/** Blank rows: copying one takes half the memory and a tenth of the time of building a row column by column. */
const blanks = new Map(
  [...namesByTable].map(([table, names]) => [table, Object.fromEntries(names.map((name) => [name, null]))]),
);

const columnsByName = new Map(
  [...columnsByTable].map(([table, columns]) => [table, new Map(columns.map((column) => [column.name, column]))]),
);

const sequence: Column = { name: 'sequence', base: 'integer', isNullable: false, isLong: false };

/** The names of all columns of a table, the sequence first. */
export function columnNames(table: TableName): readonly string[] {
  return namesByTable.get(table) ?? [];
}

/** A column of a table. */
export function columnOf(table: TableName, name: string): Column {
  return columnsByName.get(table)?.get(name) ?? sequence;
}

/** All columns of a table except the sequence, in the order of statements. */
export function columnsOf(table: TableName): readonly Column[] {
  return columnsByTable.get(table) ?? [];
}

/**
 * Asserts that values fit their columns: each of its kind, null only if allowed, and no unknown column. A whole row
 * must have every column.
 */
export function assertValues(table: TableName, values: Columns, isWhole: boolean): void {
  let seen = 0;
  for (const { name, base, isNullable } of columnsOf(table)) {
    const value = values[name];
    if (value === undefined) {
      if (isWhole || name in values) assert.fail(`A value of ${table}.${name} is missing`);
      continue;
    }
    seen += 1;
    // The text is built only for a fault, since every value passes through here.
    if (value === null ? !isNullable : !isOfKind(base, value)) assert.fail(`${table}.${name} takes no such value`);
  }
  assert(seen === Object.keys(values).length, `A row for ${table} has columns that the table has not`);
}

function isOfKind(base: Column['base'], value: unknown): boolean {
  switch (base) {
    case 'text':
    case 'id':
    case 'time':
    case 'word':
      return typeof value === 'string';
    case 'integer':
      return Number.isSafeInteger(value);
    case 'boolean':
      return typeof value === 'boolean';
    case 'json':
      return typeof value === 'object';
  }
}

/** Converts a value to its stored form. */
export function store(base: Column['base'], value: unknown): Stored {
  if (value === null) return null;
  if (base === 'json') return textOf(value);
  // `assertValues` has checked that a value other than JSON is a text, a whole number or a boolean.
  return base === 'boolean' ? Number(value) : (value as string | number);
}

/** Casts rows whose columns were read for the table to rows of the port. */
export function asRows<T extends TableName>(rows: readonly Columns[]): readonly Tables[T][] {
  // The columns are those of `tables.ts`, which the compiler compares with the row's type.
  return rows as unknown as readonly Tables[T][];
}

/** Casts the values that were read of one column to those of the port. */
export function asValues<T extends TableName, C extends keyof Tables[T]>(
  values: readonly unknown[],
): readonly Tables[T][C][] {
  return values as readonly Tables[T][C][]; // as for rows
}

/**
 * Returns a row whose columns are read one after the other, in the order of statements, the sequence first.
 *
 * @param read the stored form of the next column
 */
export function readRow(table: TableName, read: (column: Column) => unknown): Columns {
  const row: Record<string, unknown> = { ...blanks.get(table), sequence: read(sequence) };
  for (const column of columnsOf(table)) row[column.name] = readValue(column, read(column));
  return row;
}

/** Returns the sum of the counts in the answer of one or several statements that count. */
export function countIn(rows: readonly Record<string, unknown>[]): number {
  return rows.reduce((sum, { count }) => sum + Number(count), 0);
}

/**
 * Returns a new row as the memory adapter stores it: frozen, sharing nothing with the caller's, arrays and objects as
 * SQLite returns them.
 */
export function frozenRow(table: TableName, sequence: number, values: Columns): Columns {
  const row: Record<string, unknown> = { ...blanks.get(table), sequence };
  for (const { name, base } of columnsOf(table)) {
    row[name] = base === 'json' ? frozenCopy(values[name]) : values[name];
  }
  return Object.freeze(row);
}

/** Returns a row with some values changed, as the memory adapter stores it. */
export function changedRow(table: TableName, before: Columns, changes: Columns): Columns {
  const row: Record<string, unknown> = { ...before };
  for (const { name, base } of columnsOf(table)) {
    if (name in changes) row[name] = base === 'json' ? frozenCopy(changes[name]) : changes[name];
  }
  return Object.freeze(row);
}

/**
 * Returns a new or changed row as the file would return it: characters that cannot be encoded as UTF-8 are replaced.
 */
export function residentRow(table: TableName, before: Columns, changes: Columns): Columns {
  const row: Record<string, unknown> = { ...blanks.get(table), ...before };
  for (const { name, base } of columnsOf(table)) {
    const value = changes[name];
    if (value === undefined) continue;
    if (typeof value === 'string') row[name] = value.toWellFormed();
    else row[name] = base === 'json' ? frozenCopy(value) : value;
  }
  return Object.freeze(row);
}

/** Freezes a row that was read, for the cache. */
export function keptRow(row: Columns): Columns {
  return Object.freeze(freeze(row) as Columns); // it is one
}

/** A frozen copy: equal to the value after writing it as JSON and reading it again, in a fifth of the time. */
function frozenCopy(value: unknown): unknown {
  if (typeof value === 'number') return Number.isFinite(value) ? value + 0 : null;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return Object.freeze(value.map((member) => frozenCopy(member ?? null)));
  const copy: Record<string, unknown> = { ...value };
  for (const [name, member] of Object.entries(copy)) {
    if (member === undefined) delete copy[name];
    else copy[name] = frozenCopy(member);
  }
  return Object.freeze(copy);
}

function freeze(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  for (const member of Object.values(value)) freeze(member);
  return Object.freeze(value);
}

function columnsIn(table: TableName): readonly Column[] {
  return Object.entries(tables[table].columns).map(([name, kind]) => ({
    name,
    base: baseOf(kind),
    isNullable: kind.endsWith('?'),
    isLong: isLong(table, name),
  }));
}

/** Returns the value of a column from its stored form. */
export function readValue({ base }: Column, value: unknown): unknown {
  if (base === 'boolean') return value === null ? null : value === 1;
  // `store` wrote the value of a JSON column.
  return base === 'json' && value !== null ? valueOf(value as JsonText) : value;
}
