import { type Cell, keptCell } from '../dialect/sqlite-cells.js';
import { columnOf, store, type Stored } from '../statements/rows.js';
import { quote } from '../statements/statement.js';
import { packedRows, type Write, writeText } from './write.js';

/** A write in one of its possible forms. */
export interface WriteForm {
  readonly write: Write;
  /** SQL that contains the values; undefined if binding them is better. */
  readonly text: string | undefined;
  /** The result of `packedRows`, unless the text makes it unnecessary. */
  readonly rows: string | undefined;
}

/** Up to this many rows, SQLite compiles literal values faster than it reads them from JSON. */
const maxLiteralRows = 3;
/** The text is compiled for each commit; SQLite accepts a million characters in all. */
const maxCharacters = 32_768;

/** Chooses the form of a write in a commit of several. */
export function formOf(write: Write): WriteForm {
  const few = textWithLiterals(write);
  if (few !== undefined) return { write, text: few, rows: undefined };
  const rows = packedRows(write);
  const isShort = rows !== undefined && rows.length <= maxCharacters;
  return { write, text: isShort ? writeText(write)(literal(rows)) : undefined, rows };
}

function textWithLiterals({ table, mode, names, rows }: Write): string | undefined {
  if (rows.length > maxLiteralRows) return undefined;
  const stored = rows.map((row) =>
    names.map((name) => {
      const column = columnOf(table, name);
      return { column, value: store(column.base, row[name]) };
    }),
  );
  if (!areShort(stored.flatMap((row) => row.map(({ value }) => value)))) return undefined;
  const cells = stored.map((row) => row.map(({ column, value }) => literal(keptCell(column, value))));
  const quoted = names.map(quote);
  const [key = '', ...changed] = quoted;
  if (mode === 'remove') return `delete from ${quote(table)} where ${key} in (${cells.flat().join(', ')})`;
  if (mode === 'update') {
    return cells
      .map(([id = '', ...values]) => {
        const changes = changed.map((name, i) => `${name} = ${values[i] ?? ''}`).join(', ');
        return `update ${quote(table)} set ${changes} where ${key} = ${id}`;
      })
      .join(';\n');
  }
  const tuples = cells.map((row) => `(${row.join(', ')})`).join(', ');
  const end = mode === 'put' ? ' on conflict do nothing' : '';
  return `insert into ${quote(table)} (${quoted.join(', ')}) values ${tuples}${end}`;
}

/** Whether values fit into a text, none of them with a character that would end it and for which JSON has an escape. */
function areShort(values: readonly Stored[]): boolean {
  const texts = values.filter((value) => typeof value === 'string');
  const characters = texts.reduce((sum, { length }) => sum + length, 0);
  return characters <= maxCharacters && !texts.some((text) => text.includes('\0'));
}

function literal(cell: Cell): string {
  if (cell === null) return 'null';
  if (Buffer.isBuffer(cell)) return `x'${cell.toString('hex')}'`;
  return typeof cell === 'number' ? String(cell) : `'${cell.replaceAll("'", "''")}'`;
}
