import type { ListQuery } from '../../../ports/database.js';
import assert from 'node:assert/strict';
import { every } from '../../../ports/tables/where.js';
import type { Selection } from '../typed.js';
import type { TableName } from '../../../ports/tables/tables.js';
import { comparerOf, allOf, testOf } from '../../../wire/lists/condition.js';
import { type Condition, type FieldCondition, type Scalar, type Sort, totalOrder } from '../../../wire/lists/query.js';
import type { Base } from '../tables/kind.js';
import { baseOf, isLong, kindOf, tables } from '../tables/tables.js';

/** A row as the adapters see it: its columns by name. */
export type Columns = Readonly<Record<string, unknown>>;

/** Returns the sequence of a row, which every row has. */
export function sequenceOf(row: Columns): number {
  return Number(row.sequence);
}

/**
 * Returns a function that tests whether a row matches a selection. Both adapters decide by the same rules as SQLite: a
 * null meets no condition except `null`, text compares by code points.
 *
 * A selection that the table cannot answer (unknown column, value of another kind, order on arrays and objects) is an
 * assertion failure.
 */
export function matcherOf(table: TableName, { namespace, where }: Selection): (row: Columns) => boolean {
  assertWhere(table, where);
  const tests = where.map(testOf);
  if (namespace !== every) tests.push((row) => row.namespace === namespace);
  return allOf(tests);
}

/** Returns a comparison by the given order, then by sequence in the direction of the last field. */
export function orderOf(sort: readonly Sort[]): (a: Columns, b: Columns) => number {
  return comparerOf(totalOrder(sort));
}

/** Asserts that a table can answer a query. */
export function assertQuery(table: TableName, { where, sort, skip = 0, limit }: ListQuery): void {
  assertWhere(table, where);
  for (const { field } of sort) assertSortable(table, field);
  for (const count of [skip, limit])
    assert(Number.isSafeInteger(count) && count >= 0, 'skip and limit are whole numbers');
}

/** Asserts that a table can answer these conditions. */
export function assertWhere(table: TableName, where: readonly Condition[]): void {
  for (const condition of where) assertCondition(table, condition);
}

/** Asserts that these columns are a unique key of a table. */
export function assertKey(table: TableName, columns: readonly string[]): void {
  assert(keyNumber(table, columns) >= 0, `${columns.join(', ')} are no unique key of ${table}`);
}

/** The number of the unique key with these columns; -1 if there is none. */
export function keyNumber(table: TableName, columns: readonly string[]): number {
  return tables[table].uniqueKeys.findIndex(
    (key) => key.length === columns.length && key.every((name) => columns.includes(name)),
  );
}

function assertCondition(table: TableName, condition: Condition): void {
  switch (condition.is) {
    case 'any':
    case 'all':
      return assertWhere(table, condition.of);
    case 'not':
      return assertCondition(table, condition.of);
    default: {
      const { field } = condition;
      const base = existingBase(table, field);
      // Compressed text cannot be compared: the same text may have other bytes in another version.
      const isSet = condition.is === 'null' || condition.is === 'notNull';
      demand(isSet || !isLong(table, field), table, field, 'is long text, which is not searched');
      assertFieldCondition(table, field, base, condition);
    }
  }
}

function assertFieldCondition(table: TableName, field: string, base: Base, condition: FieldCondition): void {
  switch (condition.is) {
    case 'null':
    case 'notNull':
      return;
    case 'several':
      return demand(base === 'json', table, field, 'is no array');
    case 'has':
    case 'written':
      demand(base === 'json', table, field, 'is no array or object');
      return assertElement(table, field, condition.of);
    case 'behindSpace':
      demand(base === 'text', table, field, 'is no text');
      return assertElement(table, field, condition.of);
    case 'in':
      for (const value of condition.values) assertScalar(table, field, base, value);
      return;
    case 'contains':
    case 'startsWith':
    case 'endsWith':
    case 'alike':
      return demand(base !== 'integer' && base !== 'boolean' && base !== 'json', table, field, 'is no text');
    default:
      assertScalar(table, field, base, condition.value);
      demand(condition.is === 'equal' || base !== 'boolean', table, field, 'has no order');
      demand(condition.asNumber !== true || base === 'text' || base === 'id', table, field, 'is no text');
  }
}

/** A condition on an element, a written object or a part of a text is a condition on a text named `value`. */
function assertElement(table: TableName, field: string, condition: Condition): void {
  switch (condition.is) {
    case 'any':
    case 'all':
      for (const each of condition.of) assertElement(table, field, each);
      return;
    case 'not':
      return assertElement(table, field, condition.of);
    default:
      demand(condition.field === 'value', table, field, 'has no members but `value` to ask for');
      assertFieldCondition(table, field, 'text', condition);
  }
}

function assertSortable(table: TableName, field: string): void {
  const base = existingBase(table, field);
  demand(base !== 'json', table, field, 'holds arrays or objects, which have no order');
}

function assertScalar(table: TableName, field: string, base: Base, value: Scalar): void {
  demand(base !== 'json', table, field, 'holds arrays or objects, which compare with nothing');
  const expected = base === 'integer' ? 'number' : base === 'boolean' ? 'boolean' : 'string';
  if (typeof value !== expected) assert.fail(`${table}.${field} compares with a ${expected}, not a ${typeof value}`);
}

function existingBase(table: TableName, field: string): Base {
  const kind = kindOf(table, field);
  return kind === undefined ? assert.fail(`The table ${table} has no column ${field}`) : baseOf(kind);
}

/**
 * Asserts a property of a column. The text is built only for a fault, since each condition of each query is checked.
 */
function demand(isMet: boolean, table: TableName, field: string, otherwise: string): void {
  if (!isMet) assert.fail(`${table}.${field} ${otherwise}`);
}
