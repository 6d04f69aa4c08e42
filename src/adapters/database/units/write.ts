import assert from 'node:assert/strict';
import type { TableName } from '../../../ports/tables/tables.js';
import { textOf } from '../../../wire/json/json.js';
import { maxPlainCharacters } from '../dialect/sqlite-cells.js';
import { keySql, packedCells } from '../dialect/sqlite-keys.js';
import { assertValues, columnNames, type Column, columnOf, columnsOf, store, type Stored } from '../statements/rows.js';
import type { Columns } from '../statements/selection.js';
import { quote } from '../statements/statement.js';
import { isOfKey, tables } from '../tables/tables.js';

/** Rows of one table that one statement adds, changes or removes. */
export interface Write {
  readonly table: TableName;
  readonly mode: 'insert' | 'put' | 'update' | 'remove';
  /**
   * For new rows all columns, the sequence first; for changed rows the key and the changed columns; for removed rows
   * the key.
   */
  readonly names: readonly string[];
  readonly rows: readonly Columns[];
}

/** SQLite reads a row from JSON at half the cost of bound values, but a long text at several times the cost. */
const maxPackedCharacters = 4_096;

/** Returns the write of new rows, which have their sequences already. */
export function newRows(table: TableName, mode: 'insert' | 'put', rows: readonly Columns[]): Write {
  return { table, mode, names: columnNames(table), rows };
}

/**
 * Asserts that each row identifies the row to change by a key, that all have the same columns, and none of a unique
 * key.
 */
export function assertChanges(table: TableName, key: string, rows: readonly Columns[]): void {
  const isUnique = key === 'sequence' || tables[table].uniqueKeys.some((each) => each.length === 1 && each[0] === key);
  assert(isUnique, `${table}.${key} is no unique key`);
  const names = changedNames(table, key, rows);
  assert(!isOfKey(table, names), `A column of a unique key of ${table} is changed`);
  for (const row of rows) {
    const { [key]: value, ...changes } = row;
    assert(typeof value === (key === 'sequence' ? 'number' : 'string'), `A row for ${table} has no ${key}`);
    assertValues(table, changes, false);
    const isSame = Object.keys(changes).length === names.length && names.every((name) => name in changes);
    assert(isSame && names.length > 0, `The rows for ${table} do not change the same columns`);
  }
}

/** Returns the write of changed rows, which `assertChanges` has checked. */
export function changedRows(table: TableName, key: string, rows: readonly Columns[]): Write {
  return { table, mode: 'update', names: [key, ...changedNames(table, key, rows)], rows };
}

/** Returns the write that removes existing rows. */
export function removedRows(table: TableName, rows: readonly Columns[]): Write {
  return { table, mode: 'remove', names: ['sequence'], rows };
}

function changedNames(table: TableName, key: string, [first = {}]: readonly Columns[]): readonly string[] {
  return columnsOf(table).flatMap(({ name }) => (name !== key && name in first ? [name] : []));
}

/** Whether one statement can write the rows of both, in their order. */
export function isSameKind(one: Write, other: Write): boolean {
  if (one.table !== other.table || one.mode !== other.mode) return false;
  return one.names === other.names || String(one.names) === String(other.names);
}

/** Returns the SQL that writes any number of rows given as one JSON text, `rows`. */
export function writeText({ table, mode, names }: Omit<Write, 'rows'>): (rows: string) => string {
  const [key = '', ...changed] = names.map(quote);
  const values = names.map((name, i) => keySql(table, name, `json_extract("value", '$[${i}]')`));
  if (mode === 'remove') {
    return (rows) => `delete from ${quote(table)} where ${key} in (select ${values.join()} from jsonb_each(${rows}))`;
  }
  if (mode !== 'update') {
    const end = mode === 'put' ? ' where true on conflict do nothing' : '';
    return (rows) =>
      `insert into ${quote(table)} (${names.map(quote).join(', ')}) ` +
      `select ${values.join(', ')} from jsonb_each(${rows})${end}`;
  }
  const given = values.map((value, i) => `${value} as "${i}"`).join(', ');
  const changes = changed.map((name, i) => `${name} = "given"."${i + 1}"`).join(', ');
  return (rows) =>
    `update ${quote(table)} set ${changes} from (select ${given} from jsonb_each(${rows})) as "given" ` +
    `where ${quote(table)}.${key} = "given"."0"`;
}

/**
 * Returns the rows of a write as one JSON text, from which SQLite reads the same values as bound ones; undefined if
 * binding the rows is better. Of several changes of the same row the last counts.
 */
export function packedRows({ table, mode, names, rows }: Write): string | undefined {
  const columns = names.map((name) => columnOf(table, name));
  const cells = rows.map((row) => columns.map(({ name, base }) => store(base, row[name])));
  if (mode === 'update') return jsonOf(packedCells(table, names, lastOfEach(cells)));
  const isLong = (cell: Stored, place: number): boolean => isBound(columns[place], cell);
  return cells.some((row) => row.some(isLong)) ? undefined : jsonOf(packedCells(table, names, cells));
}

function lastOfEach(cells: readonly (readonly Stored[])[]): readonly (readonly Stored[])[] {
  return [...new Map(cells.map((row) => [row[0], row])).values()];
}

function jsonOf(rows: readonly (readonly Stored[])[]): string {
  const text = textOf(rows);
  // JSON writes a lone surrogate as an escape, but a bound text has the replacement character in its place.
  return /\\ud[89a-f]/.test(text) ? textOf(rows.map((row) => row.map(wellFormed))) : text;
}

function wellFormed(value: Stored): Stored {
  return typeof value === 'string' ? Buffer.from(value).toString() : value;
}

/** Whether a value should be bound: one that is long, or stored compressed, which JSON cannot pass. */
function isBound(column: Column | undefined, value: Stored): boolean {
  if (typeof value !== 'string') return false;
  return value.length > (column?.isLong === true ? maxPlainCharacters : maxPackedCharacters);
}
