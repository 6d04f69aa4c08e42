import { asRows, type Column, columnOf, readRow, readValue, store, type Stored } from '../statements/rows.js';
import type { TableName } from '../../../ports/tables/tables.js';
import { textOf } from '../../../wire/json/json.js';
import type { JsonText } from '../../../wire/scalar.js';
import { createQueries, namesOf } from '../statements/query.js';
import { assertKey, type Columns } from '../statements/selection.js';
import { shapedText } from '../tables/shape-text.js';
import { plain, quote, type Statement } from '../statements/statement.js';
import type { Write } from '../units/write.js';
import type { Dialect } from './dialect.js';
import { jsonSql, readJson, storedJson } from './postgres-text.js';
import type { Words } from './words.js';

const words: Words = {
  listed(values, bindings) {
    bindings.push(values.map((value) => (typeof value === 'boolean' ? Number(value) : value)));
    return '= any(?)';
  },
  hasElement: (column, meets) =>
    `exists (select from json_array_elements_text(${column}::json) as "element"("value") ` +
    `where ${meets('("element"."value" collate "C")')})`,
  hasSeveral: (column) => `strpos(${column}, '","') > 0`,
  contains(text, value, bindings) {
    bindings.push(value);
    return `strpos(${text}, ?) > 0`;
  },
  endsWith(text, value, bindings) {
    bindings.push(value, value);
    return `right(${text}, length(?)) = ?`;
  },
  written: jsonSql,
  behindSpace: (text) => `substr(${text}, strpos(${text}, ' ') + 1)`,
  nulls: (isDescending) => (isDescending ? 'first' : 'last'),
  limit: '?',
  // Without `offset 0` the subquery would be merged into the query, and an index could be followed through the whole
  // table.
  slice: (table) => ({
    source: `(select * from ${table} where "sequence" between ? and ? offset 0) as ${table}`,
    where: [],
  }),
  store: cellOf,
};

const queries = createQueries(words);

/** The SQL of PostgreSQL: rows are written and looked up with one list for each column. */
export const postgresDialect: Dialect = {
  ...queries,
  engine: 'postgres',
  definition,
  begin: plain('begin'),
  find: queries.select,

  exact(table, { columns, values }) {
    assertKey(table, columns);
    return lookup(table, columns, values);
  },

  found: (table, answer) => asRows(answer.map((row) => rowOf(table, row))),
  value: (column, cell) => readValue(column, plainCell(column, cell)),

  texts(table, shape, keys) {
    const read = (answer: readonly Record<string, unknown>[]): (JsonText | undefined)[] => {
      const textOfRow = (row: Columns) => textOf(keys.columns.map((column) => row[column]));
      const rows = new Map(answer.map((each) => rowOf(table, each)).map((row) => [textOfRow(row), row]));
      return keys.values.map((value) => {
        const row = rows.get(textOf(value));
        return row === undefined ? undefined : shapedText(shape, row);
      });
    };
    return { statement: lookup(table, keys.columns, keys.values), read };
  },

  writes: (write) => [writeStatement(write)],
};

/** A value as PostgreSQL stores it. */
function cellOf({ base }: Pick<Column, 'base'>, value: unknown): Stored {
  const stored = store(base, value);
  return base === 'json' && typeof stored === 'string' ? storedJson(stored) : stored;
}

/** The rows with these values in some columns. */
function lookup(table: TableName, columns: readonly string[], values: readonly (readonly string[])[]): Statement {
  const wanted = columns.map((column) => `?::${typeOf(table, column)}[]`).join(', ');
  const where = `(${columns.map(quote).join(', ')}) in (select * from unnest(${wanted}))`;
  const sql = `select ${namesOf(table).join(', ')} from ${quote(table)} where ${where}`;
  return { method: 'select', sql, bindings: columns.map((_, index) => values.map((each) => each[index] ?? null)) };
}

/**
 * Indexes of text of unlimited length. A B-tree refuses a row with more than some 2,700 bytes; an index of hashes
 * accepts any text.
 */
const hashIndexes: ReadonlyMap<string, string> = new Map([
  ['data_datatype', 'datatypeName'],
  ['data_blobname', 'blobName'],
]);

/**
 * Converts a statement of a migration. Text compares by code points; every index that is not unique ends with the
 * sequence, as all do in SQLite. Statistics are the server's own.
 */
function definition(statement: string): string | undefined {
  if (/^analyze|sqlite_stat1/.test(statement)) return undefined;
  const hashed = hashIndexes.get(/^create index "(\w+)"/.exec(statement)?.[1] ?? '');
  if (hashed !== undefined) return statement.replace(/\(.*?\)/, `using hash (${quote(hashed)})`);
  return statement
    .replace(/"sequence" integer primary key autoincrement/, '"sequence" bigint primary key')
    .replaceAll(/("\w+") integer\b/g, '$1 bigint')
    .replaceAll(/("\w+") text\b/g, '$1 text collate "C"')
    .replaceAll('instr(', 'strpos(')
    .replace(/\) strict$/, ')')
    .replace(/^(create index [^(]*\([^)]*)\)/, '$1, "sequence")');
}

function rowOf(table: TableName, row: Record<string, unknown>): Columns {
  return readRow(table, (column) => plainCell(column, row[column.name]));
}

function plainCell({ base }: Column, cell: unknown): unknown {
  return base === 'json' && typeof cell === 'string' ? readJson(cell) : cell;
}

/** The statement for a write of any number of rows. Of several changes of one row the last counts. */
export function writeStatement({ table, mode, names, rows }: Write): Statement {
  const cells = rows.map((row) => names.map((name) => cellOf(columnOf(table, name), row[name])));
  const last = mode === 'update' ? [...new Map(cells.map((row) => [row[0], row])).values()] : cells;
  const bindings = names.map((_, index) => last.map((row): Stored => row[index] ?? null));
  const given = `unnest(${names.map((name) => `?::${typeOf(table, name)}[]`).join(', ')})`;
  return { method: 'insert', sql: writeSql({ table, mode, names }, given), bindings };
}

function writeSql({ table, mode, names }: Omit<Write, 'rows'>, given: string): string {
  const [key = '', ...changed] = names.map(quote);
  if (mode === 'remove') return `delete from ${quote(table)} where ${key} in (select ${given})`;
  if (mode === 'update') {
    const changes = changed.map((name) => `${name} = "given".${name}`).join(', ');
    const columns = names.map(quote).join(', ');
    return (
      `update ${quote(table)} set ${changes} from ${given} as "given"(${columns}) ` +
      `where ${quote(table)}.${key} = "given".${key}`
    );
  }
  const end = mode === 'put' ? ' on conflict do nothing' : '';
  return `insert into ${quote(table)} (${names.map(quote).join(', ')}) select * from ${given}${end}`;
}

function typeOf(table: TableName, column: string): 'text' | 'bigint' {
  const { base } = columnOf(table, column);
  return base === 'integer' || base === 'boolean' ? 'bigint' : 'text';
}
