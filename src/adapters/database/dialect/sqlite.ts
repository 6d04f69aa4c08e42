import type { TableName } from '../../../ports/tables/tables.js';
import { textOf } from '../../../wire/json/json.js';
import { createQueries, namesOf } from '../statements/query.js';
import { columnNames, readValue } from '../statements/rows.js';
import { assertKey, type Columns } from '../statements/selection.js';
import { textsIn, textsStatement } from '../tables/shape-sql.js';
import { plain, quote, type Statement } from '../statements/statement.js';
import { packedRows, type Write, writeText } from '../units/write.js';
import type { Dialect } from './dialect.js';
import { packedId, rangesOf, storedSql, textSql } from './ids.js';
import { bytesOf, cellOf, cellsOf, textIn } from './sqlite-cells.js';
import { keysText, keySql } from './sqlite-keys.js';
import { foundRows, isPacked, packedRowSql } from './sqlite-rows.js';
import { keptTime, timeTextSql } from './times.js';
import type { Words } from './words.js';

const maxVariables = 32_766;

const words: Words = {
  listed(values, bindings) {
    bindings.push(textOf(values));
    return 'in (select value from json_each(?))';
  },
  // Not `exists`: SQLite 3.52 turns it into a join and returns a row once for each matching element.
  hasElement: (column, meets) =>
    `(select 1 from json_each(${column}) where ${meets('json_each.value')} limit 1) is not null`,
  // These three characters occur only between two elements: within a text, a quote is escaped.
  hasSeveral: (column) => `instr(${column}, '","') > 0`,
  written: (column) => column,
  contains(text, value, bindings) {
    bindings.push(value);
    return `instr(${text}, ?) > 0`;
  },
  endsWith(text, value, bindings) {
    bindings.push(-new TextEncoder().encode(value).length, value);
    return `substr(cast(${text} as blob), ?) = cast(? as blob)`;
  },
  // As bytes, since SQLite's text functions stop at U+0000; a substring of no bytes is null, unlike one of an empty
  // text.
  behindSpace(text) {
    const bytes = `cast(${text} as blob)`;
    return `ifnull(cast(substr(${bytes}, instr(${bytes}, x'20') + 1) as text), ${text})`;
  },
  nulls: (isDescending) => (isDescending ? 'last' : 'first'),
  // SQLite plans for the value of a plain variable, and compiles the statement again whenever another value is bound.
  limit: '? + 0',
  // Otherwise an index could be followed through the whole table.
  slice: (table) => ({ source: `${table} not indexed`, where: ['"sequence" between ? and ?'] }),
  store: cellOf,
  ids: {
    text: textSql,
    bind: bytesOf,
    listed(values, bindings) {
      bindings.push(textOf(values.map(packedId)));
      return `in (select ${storedSql('value')} from json_each(?))`;
    },
    startsWith(column, prefix, bindings) {
      return rangesOf(prefix).map(({ sizeBytes, from, to }) => {
        bindings.push(from, to);
        return `(length(${column}) = ${sizeBytes} and ${column} between ? and ?)`;
      });
    },
    // Otherwise the planner prefers the index of the list's order.
    oneOf: (conditions) => `likelihood((${conditions.join(' or ')}), 0.001)`,
  },
  times: { text: timeTextSql, bind: keptTime },
};

const queries = createQueries(words);

/** The SQL of SQLite. */
export const sqliteDialect: Dialect = {
  ...queries,
  engine: 'sqlite',
  definition: (statement) => statement,
  begin: plain('begin immediate'),

  /** Rows of a packed table are one JSON text, `rows`. */
  find(table, query, slice) {
    if (!isPacked(table)) return queries.select(table, query, slice);
    const row = packedRowSql(table);
    // For a single row, aggregation costs more than it saves.
    if (query.limit === 1) return queries.selectOf(table, query, `'[' || ${row} || ']' as "rows"`, slice);
    const { sql, ...rest } = queries.selectOf(table, query, `${row} as "row"`, slice);
    // The rows of a query with a limit are produced in its order, and aggregated in that order.
    return { ...rest, sql: `select '[' || group_concat("row") || ']' as "rows" from (${sql})` };
  },

  exact(table, { columns, values }) {
    assertKey(table, columns);
    const wanted = columns.map((name, index) => keySql(table, name, `"value" ->> ${index}`)).join(', ');
    const where = `(${columns.map(quote).join(', ')}) in (select ${wanted} from json_each(?))`;
    const found = isPacked(table)
      ? `'[' || group_concat(${packedRowSql(table)}) || ']' as "rows"`
      : namesOf(table).join(', ');
    const sql = `select ${found} from ${quote(table)} where ${where}`;
    return { method: 'select', sql, bindings: [keysText(table, { columns, values })] };
  },

  found: foundRows,
  value: (column, cell) => readValue(column, textIn(column, cell)),
  texts: (table, shape, keys) => ({ statement: textsStatement(table, shape, keys), read: textsIn }),
  writes: (write) => writeStatements(write),
};

/** The statements for one write outside a pack. `packed`: the result of `packedRows`, if that was already called. */
export function writeStatements(write: Write, packed = packedRows(write)): Statement[] {
  if (packed !== undefined) return [{ method: 'insert', sql: writeText(write)('?'), bindings: [packed] }];
  return insertStatements(write.table, write.mode === 'put' ? 'put' : 'insert', write.rows);
}

/**
 * Returns statements that insert rows with their sequences, as few as the limit on variables allows
 * (docs/architecture.md §9.2).
 */
export function insertStatements(table: TableName, mode: 'insert' | 'put', rows: readonly Columns[]): Statement[] {
  const names = namesOf(table);
  const start = `insert into ${quote(table)} (${names.join(', ')}) values `;
  const tuple = `(${names.map(() => '?').join(', ')})`;
  const end = mode === 'put' ? ' on conflict do nothing' : '';
  const maxRows = Math.floor(maxVariables / names.length);
  const statements: Statement[] = [];
  for (let from = 0; from < rows.length; from += maxRows) {
    const part = rows.slice(from, from + maxRows);
    const bindings = part.flatMap((row) => cellsOf(table, columnNames(table), row));
    statements.push({ method: 'insert', sql: start + `${tuple}, `.repeat(part.length - 1) + tuple + end, bindings });
  }
  return statements;
}
