import type { ListQuery } from '../../../ports/database.js';
import { every } from '../../../ports/tables/where.js';
import type { Selection } from '../typed.js';
import type { TableName } from '../../../ports/tables/tables.js';
import { firstDigit } from '../../../wire/lists/condition.js';
import { type Condition, type Sort, totalOrder } from '../../../wire/lists/query.js';
import { conditionText } from './condition.js';
import type { Words } from '../dialect/words.js';
import { columnNames, columnsOf } from './rows.js';
import { assertQuery, assertWhere, type Columns } from './selection.js';
import { type Binding, plain, quote, type Statement } from './statement.js';
import { kindOf } from '../tables/tables.js';

/** A part of a table, by the first and the last sequence. */
export interface Slice {
  readonly from: number;
  readonly to: number;
}

/**
 * Statements whose SQL is the same for all engines except for some words. A statement about a slice reads nothing else.
 */
export interface Queries {
  /** Returns the statement that reads the rows of a query, by columns. */
  select(table: TableName, query: ListQuery, slice?: Slice): Statement;

  /** Returns the statement that reads an expression, `what`, of each row of a query. */
  selectOf(table: TableName, query: ListQuery, what: string, slice?: Slice): Statement;

  /** Returns a statement whose answer is one row with the member `count`. */
  count(table: TableName, selection: Selection, slice?: Slice): Statement;

  /** Returns a statement whose answer is one row with the first and the last sequence, `first` and `last`. */
  ends(table: TableName): Statement;

  /** Returns a statement that changes columns of the selected rows; its answer is their number. */
  update(table: TableName, selection: Selection, changes: Columns): Statement;

  /** Returns a statement that removes the selected rows; its answer is their number. */
  remove(table: TableName, selection: Selection): Statement;
}

/** The columns of a table by their quoted names, the sequence first. */
export function namesOf(table: TableName): string[] {
  return columnNames(table).map(quote);
}

export function createQueries(words: Words): Queries {
  function whereOf(table: TableName, { namespace, where }: Selection): { text: string; bindings: Binding[] } {
    const bindings: Binding[] = [];
    const texts = conditionsOf(table, { namespace, where }, bindings);
    return { text: texts.length === 0 ? '' : ` where ${texts.join(' and ')}`, bindings };
  }

  function conditionsOf(table: TableName, { namespace, where }: Selection, bindings: Binding[]): readonly string[] {
    const scope: readonly Condition[] =
      namespace === every ? [] : [{ field: 'namespace', is: 'equal', value: namespace }];
    return [...scope, ...where].map((condition) => conditionText(words, table, condition, bindings));
  }

  /** The last part of a statement that reads: its source with its conditions. */
  function fromOf(
    table: TableName,
    selection: Selection,
    slice: Slice | undefined,
  ): { text: string; bindings: Binding[] } {
    const bindings: Binding[] = slice === undefined ? [] : [slice.from, slice.to];
    const { source, where } = slice === undefined ? { source: quote(table), where: [] } : words.slice(quote(table));
    const texts = [...where, ...conditionsOf(table, selection, bindings)];
    return { text: ` from ${source}${texts.length === 0 ? '' : ` where ${texts.join(' and ')}`}`, bindings };
  }

  function selectOf(table: TableName, query: ListQuery, what: string, slice?: Slice): Statement {
    assertQuery(table, query);
    const { text, bindings } = fromOf(table, query, slice);
    const order = totalOrder(query.sort).map((sort) => orderOf(words, table, sort));
    return {
      method: 'select',
      sql: `select ${what}${text} order by ${order.join(', ')} limit ${words.limit} offset ?`,
      bindings: [...bindings, query.limit, query.skip ?? 0],
    };
  }

  return {
    select: (table, query, slice) => selectOf(table, query, namesOf(table).join(', '), slice),
    selectOf,

    count(table, selection, slice) {
      assertWhere(table, selection.where);
      const { text, bindings } = fromOf(table, selection, slice);
      return { method: 'select', sql: `select count(*) as "count"${text}`, bindings };
    },

    ends: (table) =>
      plain(
        `select (select min("sequence") from ${quote(table)}) as "first", ` +
          `(select max("sequence") from ${quote(table)}) as "last"`,
      ),

    update(table, selection, changes) {
      assertWhere(table, selection.where);
      const changed = columnsOf(table).filter(({ name }) => name in changes);
      const { text, bindings } = whereOf(table, selection);
      return {
        method: 'update',
        sql: `update ${quote(table)} set ${changed.map(({ name }) => `${quote(name)} = ?`).join(', ')}${text}`,
        bindings: [...changed.map((column) => words.store(column, changes[column.name])), ...bindings],
      };
    },

    remove(table, selection) {
      assertWhere(table, selection.where);
      const { text, bindings } = whereOf(table, selection);
      return { method: 'del', sql: `delete from ${quote(table)}${text}`, bindings };
    },
  };
}

/**
 * Written without knex, which drops the column from an order with `nulls`. `nulls` is written only if it differs from
 * the engine's default, because an order with `nulls` uses no index.
 */
function orderOf(
  words: Words,
  table: TableName,
  { field, descending = false, nullsFirst = false, asNumber = false }: Sort,
): string {
  const direction = descending ? 'desc' : 'asc';
  const isNullable = kindOf(table, field)?.endsWith('?') ?? false;
  const nulls = nullsFirst ? 'first' : 'last';
  const end = `${direction}${isNullable && nulls !== words.nulls(descending) ? ` nulls ${nulls}` : ''}`;
  const column = quote(field);
  if (!asNumber) return `${column} ${end}`;
  // A whole number without leading zeros that has more digits is larger, or, if it is negative, smaller.
  const isNegative = `${column} < '${firstDigit}'`;
  const digits = `case when ${isNegative} then -length(${column}) else length(${column}) end ${end}`;
  return `${digits}, case when ${isNegative} then ${column} end ${descending ? 'asc' : 'desc'}, ${column} ${end}`;
}
