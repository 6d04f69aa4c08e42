import assert from 'node:assert/strict';
import type { TableName, Tables } from '../../../ports/tables/tables.js';
import { textOf, valueOf } from '../../../wire/json/json.js';
import type { JsonText } from '../../../wire/scalar.js';
import type { Columns } from './selection.js';
import { baseOf, type Table, tableNames, tables } from '../tables/tables.js';

/** A value that the driver stores in a column. */
export type Stored = string | number | null;

interface Column {
  readonly name: string;
  readonly base: ReturnType<typeof baseOf>;
  readonly isNullable: boolean;
}

const columnsByTable = new Map(tableNames.map((name) => [name, columnsIn(tables[name])]));

const namesByTable = new Map(
  [...columnsByTable].map(([table, columns]) => [table, ['sequence', ...columns.map(({ name }) => name)]]),
);

/** Blank rows: a copy of one takes half the memory and a tenth of the time of a row that is built column by column. */
const blanks = new Map(
  [...namesByTable].map(([table, names]) => [table, Object.fromEntries(names.map((name) => [name, null]))]),
);

const bases = new Map(
  [...columnsByTable].map(([table, columns]) => [table, new Map(columns.map(({ name, base }) => [name, base]))]),
);

/** The names of all columns of a table, the sequence first. */
export function columnNames(table: TableName): readonly string[] {
  return namesByTable.get(table) ?? [];
}

/** The kind of a column. */
export function kindOf(table: TableName, name: string): Column['base'] {
  return bases.get(table)?.get(name) ?? 'integer'; // the sequence
}

/** Converts the values of these columns in a row to their stored form. */
export function cellsOf(table: TableName, names: readonly string[], row: Columns): Stored[] {
  return names.map((name) => store(kindOf(table, name), row[name]));
}

/** All columns of a table except the sequence, in the order of statements. */
export function columnsOf(table: TableName): readonly Column[] {
  return columnsByTable.get(table) ?? [];
}

/**
 * Asserts that values fit their columns: each of its kind, null only where it is allowed, and no unknown column. A
 * whole row must have every column.
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
    // The text is made only for a fault: this is asked of every value.
    if (value === null ? !isNullable : !isOfKind(base, value)) assert.fail(`${table}.${name} takes no such value`);
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

/** Converts a value to its stored form. */
export function store(base: Column['base'], value: unknown): Stored {
  if (value === null) return null;
  if (base === 'json') return textOf(value);
  // `assertValues` has checked that a value other than JSON is a text, a whole number or a boolean.
  return base === 'boolean' ? Number(value) : (value as string | number);
}

/** Tables with texts that may be very long: encoding those as JSON costs more than it saves. */
const longTables: ReadonlySet<TableName> = new Set(['data', 'payloads', 'batches']);

/**
 * Whether the rows found in a table are read as one JSON text. The driver takes as long for one cell as JSON for ten,
 * which is a third of the CPU where columns are many and short (measured: 23 → 7 µs a message), and a row for each of
 * them takes another third of the rest (2.7 → 1.8 µs an event).
 */
export function isPacked(table: TableName): boolean {
  return !longTables.has(table);
}

/** Converts the answer of a `findStatement` to rows of the port. */
export function foundRows<T extends TableName>(
  table: T,
  answered: readonly Record<string, unknown>[],
): readonly Tables[T][] {
  return asRows(
    isPacked(table) ? unpacked(table, answered[0]?.rows) : answered.map((answer) => unfoldedRow(table, answer)),
  );
}

/** Casts rows whose columns were made for the table to rows of the port. */
export function asRows<T extends TableName>(rows: readonly Columns[]): readonly Tables[T][] {
  // The columns are those of `tables.ts`, which the compiler compares with the row's type.
  return rows as unknown as readonly Tables[T][];
}

/** Decodes the rows of a JSON text that the database wrote, an array of cells each; null when there are none. */
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

/** Converts a row of the driver's cells. */
export function unfoldedRow(
  table: TableName,
  answer: Record<string, unknown>,
  readJson: (text: string) => JsonText = (text) => text as JsonText, // `store` wrote it
): Columns {
  const row: Record<string, unknown> = { ...blanks.get(table), sequence: answer.sequence };
  for (const { name, base } of columnsOf(table)) {
    const cell = answer[name];
    row[name] = base === 'json' && typeof cell === 'string' ? valueOf(readJson(cell)) : restored(base, cell);
  }
  return row;
}

/** Returns the count from the answer of a `countStatement`. */
export function countIn(rows: readonly Record<string, unknown>[]): number {
  return Number(rows[0]?.count);
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

/** A frozen copy, the same as a value that is written as JSON and read again, in a fifth of the time. */
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

function columnsIn({ columns }: Table): readonly Column[] {
  return Object.entries(columns).map(([name, kind]) => ({
    name,
    base: baseOf(kind),
    isNullable: kind.endsWith('?'),
  }));
}

function restored(base: Column['base'], value: unknown): unknown {
  if (base === 'boolean') return value === null ? null : value === 1;
  // `store` wrote the value of a JSON column.
  return base === 'json' && value !== null ? valueOf(value as JsonText) : value;
}
