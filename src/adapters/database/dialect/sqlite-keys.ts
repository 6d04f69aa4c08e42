import type { Keys } from '../../../ports/tables/shape.js';
import type { TableName } from '../../../ports/tables/tables.js';
import { textOf } from '../../../wire/json/json.js';
import type { JsonText } from '../../../wire/scalar.js';
import { columnOf } from '../statements/rows.js';
import { packedId, storedSql } from './ids.js';

/** The values of keys as one JSON text. */
export function keysText<T extends TableName>(table: T, { columns, values }: Keys<T>): JsonText {
  const areIds = columns.map((name) => isId(table, name));
  if (!areIds.includes(true)) return textOf(values);
  return textOf(values.map((key) => key.map((value, index) => (areIds[index] === true ? packedId(value) : value))));
}

/** SQL for the stored form of a key's value, from the JSON of `keysText`. */
export function keySql(table: TableName, name: string, value: string): string {
  return isId(table, name) ? storedSql(value) : value;
}

function isId(table: TableName, name: string): boolean {
  return columnOf(table, name).base === 'id';
}
