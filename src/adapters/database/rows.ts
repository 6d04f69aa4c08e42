import assert from 'node:assert/strict';
import type { TableName, Tables } from '../../ports/tables.js';
import { textOf, valueOf } from '../../wire/json.js';
import type { JsonText } from '../../wire/scalar.js';
import type { Columns } from './selection.js';
import { baseOf, type Table, tableNames, tables } from './tables.js';

/** What the driver stores in a column. */
export type Stored = string | number | null;

interface Column {
  readonly name: string;
  readonly base: ReturnType<typeof baseOf>;
  readonly isNullable: boolean;
}

const columnsByTable = new Map(tableNames.map((name) => [name, columnsIn(tables[name])]));

/** Rows of nothing: a copy of one takes half the memory of a row that gets one column after the other. */
const blanks = new Map(
  [...columnsByTable].map(([table, columns]) => [
    table,
    Object.fromEntries(['sequence', ...columns.map(({ name }) => name)].map((name) => [name, null])),
  ]),
);

/** All columns of a table but the sequence, in the order of statements. */
export function columnsOf(table: TableName): readonly Column[] {
  return columnsByTable.get(table) ?? [];
}

/**
 * Asserts that values fit the columns that they are for: each of its kind, null only where that is allowed, and no
 * column that the table does not have. Of a whole row no column may be missing.
 */
export function assertValues(table: TableName, values: Columns, isWhole: boolean): void {
  let seen = 0;
  for (const { name, base, isNullable } of columnsOf(table)) {
    const value = values[name];
    if (value === undefined) {
      assert(!isWhole && !(name in values), `A value of ${table}.${name} is missing`);
      continue;
    }
    seen += 1;
    assert(value === null ? isNullable : isOfKind(base, value), `${table}.${name} takes no such value`);
  }
  assert(seen === Object.keys(values).length, `A row for ${table} has columns that the table has not`);
}

function isOfKind(base: Column['base'], value: unknown): boolean {
  switch (base) {
    case 'text':
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

/** A value as it is stored. */
export function store(base: Column['base'], value: unknown): Stored {
  if (value === null) return null;
  if (base === 'json') return textOf(value);
  // `assertValues` has seen that what is no JSON is a text, a whole number or a boolean.
  return base === 'boolean' ? Number(value) : (value as string | number);
}

/** Tables with texts that may be very long: what JSON would take them for is more than what it saves. */
const longTables: ReadonlySet<TableName> = new Set(['data', 'payloads', 'batches']);

/**
 * Whether the rows that are found in a table are read as one JSON text. The driver takes as long for one cell as JSON
 * for ten, which is a third of the CPU where columns are many and short (measured: 23 → 7 µs a message), and a row for
 * each of them takes another third of what is left (2.7 → 1.8 µs an event).
 */
export function isPacked(table: TableName): boolean {
  return !longTables.has(table);
}

/** Rows as the port has them, from the answer of a `findStatement`. */
export function foundRows<T extends TableName>(
  table: T,
  answered: readonly Record<string, unknown>[],
): readonly Tables[T][] {
  const rows = isPacked(table) ? unpacked(table, answered[0]?.rows) : answered.map((answer) => unfolded(table, answer));
  // The columns are those of `tables.ts`, which the compiler compares with the row's type.
  return rows as unknown as readonly Tables[T][];
}

/** The rows in a JSON text, an array of cells each, that the database has written itself; null when there are none. */
function unpacked(table: TableName, text: unknown): readonly Columns[] {
  if (typeof text !== 'string') return [];
  const columns = columnsOf(table);
  const blank = blanks.get(table);
  const packed = valueOf(text as JsonText) as Stored[][]; // as the statement says
  return packed.map((cells) => {
    const row: Record<string, unknown> = { ...blank, sequence: cells[0] };
    let place = 0;
    for (const { name, base } of columns) row[name] = restored(base, cells[++place]);
    return row;
  });
}

/** A row whose cells are the driver's. */
function unfolded(table: TableName, answer: Record<string, unknown>): Columns {
  const row: Record<string, unknown> = { ...blanks.get(table), sequence: answer.sequence };
  for (const { name, base } of columnsOf(table)) row[name] = restored(base, answer[name]);
  return row;
}

/** The answer of a `countStatement`. */
export function countIn(rows: readonly Record<string, unknown>[]): number {
  return Number(rows[0]?.count);
}

/**
 * A new row as the memory adapter keeps it: frozen, nothing of it shared with the caller's, arrays and objects as
 * SQLite returns them.
 */
export function frozenRow(table: TableName, sequence: number, values: Columns): Columns {
  const row: Record<string, unknown> = { sequence };
  for (const { name, base } of columnsOf(table)) {
    row[name] = base === 'json' ? frozenCopy(values[name]) : values[name];
  }
  return Object.freeze(row);
}

/** A row with some values changed, as the memory adapter keeps it. */
export function changedRow(table: TableName, before: Columns, changes: Columns): Columns {
  const row: Record<string, unknown> = { ...before };
  for (const { name, base } of columnsOf(table)) {
    if (name in changes) row[name] = base === 'json' ? frozenCopy(changes[name]) : changes[name];
  }
  return Object.freeze(row);
}

function frozenCopy(value: unknown): unknown {
  return value === null ? null : freeze(valueOf(textOf(value)));
}

function freeze(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  for (const member of Object.values(value)) freeze(member);
  return Object.freeze(value);
}

function columnsIn({ columns }: Table): readonly Column[] {
  return Object.entries(columns).map(([name, kind]) => ({
    name,
    base: baseOf(kind),
    isNullable: kind.endsWith('?'),
  }));
}

function restored(base: Column['base'], value: unknown): unknown {
  if (base === 'boolean') return value === null ? null : value === 1;
  // What stands in a JSON column was written by `store`.
  return base === 'json' && value !== null ? valueOf(value as JsonText) : value;
}
