import { columnsOf, store, type Stored } from '../statements/rows.js';
import { quote } from '../statements/statement.js';
import { packedRows, type Write, writeText } from './write.js';

/** Up to so many rows SQLite compiles their values faster than it reads them from JSON. */
const maxLiteralRows = 3;
/** A text is compiled for each commit; SQLite takes a million characters in all. */
const maxCharacters = 32_768;

/** Returns a write as SQL with its values; undefined when they had better be bound. */
export function textWithValues(write: Write): string | undefined {
  const text = textWithLiterals(write) ?? textWithJson(write);
  return text === undefined || text.length > maxCharacters ? undefined : text;
}

function textWithLiterals({ table, mode, names, rows }: Write): string | undefined {
  if (rows.length > maxLiteralRows) return undefined;
  const bases = new Map(columnsOf(table).map(({ name, base }) => [name, base]));
  const stored = rows.map((row) => names.map((name) => store(bases.get(name) ?? 'integer', row[name])));
  if (stored.some((row) => row.some(endsText))) return undefined;
  const cells = stored.map((row) => row.map(literal));
  const [key = '', ...changed] = names.map(quote);
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
  return `insert into ${quote(table)} (${names.map(quote).join(', ')}) values ${tuples}${end}`;
}

function textWithJson(write: Write): string | undefined {
  const rows = packedRows(write);
  return rows === undefined ? undefined : writeText(write)(literal(rows));
}

/** Whether the text of a statement would end at a character of this value. JSON has an escape for it. */
function endsText(value: Stored): boolean {
  return typeof value === 'string' && value.includes('\0');
}

function literal(value: Stored): string {
  if (value === null) return 'null';
  return typeof value === 'number' ? String(value) : `'${value.replaceAll("'", "''")}'`;
}
