import { everyNamespace, type ScopedQuery, type Selection } from '../../ports/database.js';
import type { Keys } from '../../ports/shape.js';
import type { TableName } from '../../ports/tables.js';
import { textOf } from '../../wire/json.js';
import { type Condition, type Sort, totalOrder } from '../../wire/query.js';
import { conditionText } from './condition.js';
import { columnsOf, isPacked, store, type Stored } from './rows.js';
import { assertKey, assertQuery, assertWhere, type Columns, sequenceOf } from './selection.js';
import { kindOf } from './tables.js';

/**
 * SQL with its bindings. Names of tables and columns come from `tables.ts` only; values are bound (for `word` see
 * there).
 */
export interface Statement {
  readonly method: 'select' | 'insert' | 'update' | 'del' | 'raw';
  readonly sql: string;
  readonly bindings: readonly Stored[];
}

const maxVariables = 32_766;

/** Returns the statement that reads the rows of a query, by columns. */
export function selectStatement(table: TableName, query: ScopedQuery): Statement {
  return selection(table, query, namesOf(table).map(quote).join(', '));
}

/**
 * Returns the statement that reads the rows of a query, for `foundRows`: those of a packed table as one JSON text,
 * `rows`.
 */
export function findStatement(table: TableName, query: ScopedQuery): Statement {
  if (!isPacked(table)) return selectStatement(table, query);
  const row = `json_array(${namesOf(table).map(quote).join(', ')})`;
  // For a single row, aggregation costs more than it saves.
  if (query.limit === 1) return selection(table, query, `'[' || ${row} || ']' as "rows"`);
  const { sql, ...rest } = selection(table, query, `${row} as "row"`);
  // The rows of a query with a limit are produced in its order, and aggregated in that order.
  return { ...rest, sql: `select '[' || group_concat("row") || ']' as "rows" from (${sql})` };
}

/** Returns the statement that reads the rows with these values in a unique key, for `foundRows`. */
export function exactStatement<T extends TableName>(table: T, { columns, values }: Keys<T>): Statement {
  assertKey(table, columns);
  const wanted = columns.map((_, index) => `"value" ->> ${index}`).join(', ');
  const where = `(${columns.map(quote).join(', ')}) in (select ${wanted} from json_each(?))`;
  const names = namesOf(table).map(quote).join(', ');
  const sql = isPacked(table)
    ? `select '[' || group_concat(json_array(${names})) || ']' as "rows" from ${quote(table)} where ${where}`
    : `select ${names} from ${quote(table)} where ${where}`;
  return { method: 'select', sql, bindings: [textOf(values)] };
}

function selection(table: TableName, query: ScopedQuery, what: string): Statement {
  assertQuery(table, query);
  const { text, bindings } = whereOf(table, query);
  const order = totalOrder(query.sort).map((sort) => orderOf(table, sort));
  return {
    method: 'select',
    sql: `select ${what} from ${quote(table)}${text} order by ${order.join(', ')} limit ? offset ?`,
    bindings: [...bindings, query.limit, query.skip ?? 0],
  };
}

function namesOf(table: TableName): string[] {
  return ['sequence', ...columnsOf(table).map(({ name }) => name)];
}

/** Returns a statement whose answer is one row with the member `count`. */
export function countStatement(table: TableName, selection: Selection): Statement {
  assertWhere(table, selection.where);
  const { text, bindings } = whereOf(table, selection);
  return { method: 'select', sql: `select count(*) as "count" from ${quote(table)}${text}`, bindings };
}

/**
 * Returns statements that insert rows with their sequences, as few as the limit on variables allows
 * (docs/architecture.md §9.2).
 */
export function insertStatements(table: TableName, mode: 'insert' | 'put', rows: readonly Columns[]): Statement[] {
  const names = ['sequence', ...columnsOf(table).map(({ name }) => name)];
  const start = `insert into ${quote(table)} (${names.map(quote).join(', ')}) values `;
  const tuple = `(${names.map(() => '?').join(', ')})`;
  const end = mode === 'put' ? ' on conflict do nothing' : '';
  const maxRows = Math.floor(maxVariables / names.length);
  const statements: Statement[] = [];
  for (let from = 0; from < rows.length; from += maxRows) {
    const part = rows.slice(from, from + maxRows);
    const bindings = part.flatMap((row) => [
      sequenceOf(row),
      ...columnsOf(table).map(({ name, base }) => store(base, row[name])),
    ]);
    statements.push({ method: 'insert', sql: start + `${tuple}, `.repeat(part.length - 1) + tuple + end, bindings });
  }
  return statements;
}

/** Returns a statement that changes columns of the selected rows; it answers their number. */
export function updateStatement(table: TableName, selection: Selection, changes: Columns): Statement {
  assertWhere(table, selection.where);
  const changed = columnsOf(table).filter(({ name }) => name in changes);
  const { text, bindings } = whereOf(table, selection);
  return {
    method: 'update',
    sql: `update ${quote(table)} set ${changed.map(({ name }) => `${quote(name)} = ?`).join(', ')}${text}`,
    bindings: [...changed.map(({ name, base }) => store(base, changes[name])), ...bindings],
  };
}

/** Returns a statement that removes the selected rows; it answers their number. */
export function removeStatement(table: TableName, selection: Selection): Statement {
  assertWhere(table, selection.where);
  const { text, bindings } = whereOf(table, selection);
  return { method: 'del', sql: `delete from ${quote(table)}${text}`, bindings };
}

function whereOf(table: TableName, { namespace, where }: Selection): { text: string; bindings: Stored[] } {
  const scope: readonly Condition[] =
    namespace === everyNamespace ? [] : [{ field: 'namespace', is: 'equal', value: namespace }];
  const bindings: Stored[] = [];
  const texts = [...scope, ...where].map((condition) => conditionText(table, condition, bindings));
  return { text: texts.length === 0 ? '' : ` where ${texts.join(' and ')}`, bindings };
}

/**
 * Written by hand: knex drops the column from an order with `nulls`. `nulls` is written only where it differs from
 * SQLite's default, nulls lowest, because an order with `nulls` uses no index.
 */
function orderOf(table: TableName, { field, descending = false, nullsFirst = false, asNumber = false }: Sort): string {
  const direction = descending ? 'desc' : 'asc';
  const isNullable = kindOf(table, field)?.endsWith('?') ?? false;
  const isNatural = nullsFirst !== descending;
  const end = `${direction}${isNullable && !isNatural ? ` nulls ${nullsFirst ? 'first' : 'last'}` : ''}`;
  // A whole number without leading zeros that has more digits is larger.
  return asNumber ? `length(${quote(field)}) ${end}, ${quote(field)} ${end}` : `${quote(field)} ${end}`;
}

/** Quotes the name of a table or column. */
export function quote(name: string): string {
  return `"${name}"`;
}
