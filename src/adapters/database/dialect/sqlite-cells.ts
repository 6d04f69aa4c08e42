import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { TableName } from '../../../ports/tables/tables.js';
import { columnOf, type Column, store, type Stored } from '../statements/rows.js';
import type { Columns } from '../statements/selection.js';
import { digitsOf, idOf } from './ids.js';
import { keptTime, timeOf } from './times.js';

/** A text of this length or less is not compressed. */
export const maxPlainCharacters = 512;
const compression = { level: 1 };

/** A value as SQLite stores it. */
export type Cell = Stored | Buffer;

/** Converts the values of these columns in a row. */
export function cellsOf(table: TableName, names: readonly string[], row: Columns): Cell[] {
  return names.map((name) => cellOf(columnOf(table, name), row[name]));
}

/** Converts a value of a column. */
export function cellOf(column: Column, value: unknown): Cell {
  return keptCell(column, store(column.base, value));
}

/** Converts ids to bytes, times to numbers, and long text to compressed text. */
export function keptCell({ base, isLong }: Column, stored: Stored): Cell {
  if (typeof stored !== 'string') return stored;
  if (base === 'id') return bytesOf(stored);
  if (base === 'time') return keptTime(stored);
  return isLong && stored.length > maxPlainCharacters ? deflateRawSync(stored, compression) : stored;
}

/** Converts an id to bytes; any other text stays text. */
export function bytesOf(id: string): string | Buffer {
  const digits = digitsOf(id);
  return digits === undefined ? id : Buffer.from(digits, 'hex');
}

/** The stored text of a cell. */
export function textIn({ base }: Pick<Column, 'base'>, cell: unknown): unknown {
  if (base === 'time' && typeof cell === 'number') return timeOf(cell);
  if (!Buffer.isBuffer(cell)) return cell;
  return base === 'id' ? idOf(cell.toString('hex')) : inflateRawSync(cell).toString();
}
