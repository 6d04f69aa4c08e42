import type { Keys } from '../../../ports/tables/shape.js';
import type { TableName } from '../../../ports/tables/tables.js';
import { textOf } from '../../../wire/json/json.js';
import type { JsonText } from '../../../wire/scalar.js';
import { type Column, columnOf, type Stored } from '../statements/rows.js';
import { packedId, storedSql } from './ids.js';
import { keptTime } from './times.js';

/** The values of keys as one JSON text. */
export function keysText<T extends TableName>(table: T, { columns, values }: Keys<T>): JsonText {
  return textOf(packedCells(table, columns, values));
}

/** Values of these columns in the form in which JSON passes them to SQLite: ids packed, times as numbers. */
export function packedCells(
  table: TableName,
  names: readonly string[],
  rows: readonly (readonly Stored[])[],
): readonly (readonly Stored[])[] {
  const packs = names.map((name) => packOf(columnOf(table, name)));
  if (packs.every((pack) => pack === undefined)) return rows;
  const packed = (value: Stored, place: number): Stored =>
    typeof value === 'string' ? (packs[place]?.(value) ?? value) : value;
  return rows.map((row) => row.map(packed));
}

/** SQL for the stored form of a key's value, from the JSON of `keysText`. */
export function keySql(table: TableName, name: string, value: string): string {
  return isId(table, name) ? storedSql(value) : value;
}

function packOf({ base }: Column): ((text: string) => Stored) | undefined {
  if (base === 'id') return packedId;
  return base === 'time' ? keptTime : undefined;
}

function isId(table: TableName, name: string): boolean {
  return columnOf(table, name).base === 'id';
}
