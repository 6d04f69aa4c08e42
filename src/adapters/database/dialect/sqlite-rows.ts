import type { TableName, Tables } from '../../../ports/tables/tables.js';
import { valueOf } from '../../../wire/json/json.js';
import type { JsonText } from '../../../wire/scalar.js';
import { asRows, type Column, columnNames, columnOf, readRow } from '../statements/rows.js';
import type { Columns } from '../statements/selection.js';
import { quote } from '../statements/statement.js';
import { packedSql, unpackedId } from './ids.js';
import { textIn } from './sqlite-cells.js';

/** Tables with texts that may be very long: encoding those as JSON costs more than it saves. */
const longTables: ReadonlySet<TableName> = new Set(['data', 'payloads', 'batches']);

/**
 * Whether the rows found in a table are read as one JSON text. The driver takes as long for one cell as JSON for ten,
 * which is a third of the processor time for many short columns (measured: 23 → 7 µs a message); separate rows take
 * another third of the remaining time (2.7 → 1.8 µs an event).
 */
export function isPacked(table: TableName): boolean {
  return !longTables.has(table);
}

/** SQL for a row of a packed table as a JSON array. */
export function packedRowSql(table: TableName): string {
  const cells = columnNames(table).map((name) => {
    const column = quote(name);
    return isBytes(columnOf(table, name)) ? packedSql(column) : column;
  });
  return `json_array(${cells.join(', ')})`;
}

/** Converts the answer of a statement that finds rows to rows of the port. */
export function foundRows<T extends TableName>(
  table: T,
  answered: readonly Record<string, unknown>[],
): readonly Tables[T][] {
  if (isPacked(table)) return asRows(answered.flatMap(({ rows }) => unpacked(table, rows)));
  return asRows(answered.map((answer) => readRow(table, (column) => textIn(column, answer[column.name]))));
}

/** Decodes the rows of a JSON text that the database wrote, an array of cells each; null if there are none. */
function unpacked(table: TableName, text: unknown): readonly Columns[] {
  if (typeof text !== 'string') return [];
  const packed = valueOf(text as JsonText) as unknown[][]; // as the statement says
  return packed.map((cells) => {
    let place = 0;
    return readRow(table, (column) => {
      const cell = cells[place++];
      if (!isBytes(column) || typeof cell !== 'string') return textIn(column, cell);
      return column.base === 'id' ? unpackedId(cell) : unpackedText(column, cell);
    });
  });
}

/** Whether the values of a column may be bytes, which JSON does not have. */
function isBytes({ base, isLong }: Column): boolean {
  return base === 'id' || isLong;
}

function unpackedText(column: Column, packed: string): unknown {
  return packed.startsWith('.') ? packed.slice(1) : textIn(column, Buffer.from(packed, 'hex'));
}
