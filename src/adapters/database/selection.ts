import assert from 'node:assert/strict';
import { everyNamespace, type ScopedQuery, type Selection } from '../../ports/database.js';
import type { TableName } from '../../ports/tables.js';
import type { Condition, Scalar, Sort } from '../../wire/query.js';
import { baseOf, kindOf } from './tables.js';

/** A row as the adapters see it: its columns by name. */
export type Columns = Readonly<Record<string, unknown>>;

/** The sequence of a row, which every row of ours has. */
export function sequenceOf(row: Columns): number {
  return Number(row.sequence);
}

/**
 * Which rows a selection means, as a function. Both adapters decide by the same rules as SQLite: a null meets no
 * condition but `null`, text compares by code points.
 *
 * A selection that the table cannot answer (unknown column, value of another kind, order on arrays and objects) is an
 * assertion failure.
 */
export function matcherOf(table: TableName, { namespace, where }: Selection): (row: Columns) => boolean {
  const tests = where.map((condition) => testOf(table, condition));
  if (namespace !== everyNamespace) tests.push((row) => row.namespace === namespace);
  return (row) => tests.every((test) => test(row));
}

/** The rows in the order asked for, then by sequence in the direction of the last field. */
export function comparerOf(sort: readonly Sort[]): (a: Columns, b: Columns) => number {
  const fields = totalOrder(sort);
  return (a, b) => {
    for (const { field, descending = false, nullsFirst = false } of fields) {
      const [left, right] = [a[field], b[field]];
      if (left === right) continue;
      if (left === null) return nullsFirst ? -1 : 1;
      if (right === null) return nullsFirst ? 1 : -1;
      const order = compare(left, right);
      if (order !== 0) return descending ? -order : order;
    }
    return 0;
  };
}

/** A sort that no two rows share, so that both adapters answer alike: the sequence is added where it is missing. */
export function totalOrder(sort: readonly Sort[]): readonly Sort[] {
  if (sort.some(({ field }) => field === 'sequence')) return sort;
  return [...sort, { field: 'sequence', descending: sort.at(-1)?.descending ?? false }];
}

/** Asserts that a table can answer a query. */
export function assertQuery(table: TableName, { where, sort, skip = 0, limit }: ScopedQuery): void {
  assertWhere(table, where);
  for (const { field } of sort) assertColumn(table, field, false);
  for (const count of [skip, limit])
    assert(Number.isSafeInteger(count) && count >= 0, 'skip and limit are whole numbers');
}

/** Asserts that a table can answer these conditions. */
export function assertWhere(table: TableName, where: readonly Condition[]): void {
  for (const condition of where) {
    const values = 'values' in condition ? condition.values : 'value' in condition ? [condition.value] : [];
    assertColumn(table, condition.field, condition.is === 'null' || condition.is === 'notNull');
    for (const value of values) assertScalar(table, condition.field, value);
    const isOrder = condition.is !== 'equal' && 'value' in condition;
    assert(!isOrder || kindOf(table, condition.field) !== 'boolean', `${table}.${condition.field} has no order`);
  }
}

function assertColumn(table: TableName, field: string, takesJson: boolean): void {
  const kind = kindOf(table, field);
  assert(kind !== undefined, `The table ${table} has no column ${field}`);
  assert(takesJson || baseOf(kind) !== 'json', `${table}.${field} holds arrays or objects, which have no order`);
}

function assertScalar(table: TableName, field: string, value: Scalar): void {
  const kind = kindOf(table, field);
  const expected = kind?.startsWith('integer') ? 'number' : kind?.startsWith('boolean') ? 'boolean' : 'string';
  assert(typeof value === expected, `${table}.${field} compares with a ${expected}, not a ${typeof value}`);
}

function testOf(table: TableName, condition: Condition): (row: Columns) => boolean {
  const { field } = condition;
  assertWhere(table, [condition]);
  switch (condition.is) {
    case 'equal':
      return (row) => row[field] === condition.value;
    case 'in': {
      const values = new Set<unknown>(condition.values);
      return (row) => values.has(row[field]);
    }
    case 'null':
      return (row) => row[field] === null;
    case 'notNull':
      return (row) => row[field] !== null;
    default:
      return testOfOrder(condition.is, field, condition.value);
  }
}

function testOfOrder(is: 'above' | 'atLeast' | 'below' | 'atMost', field: string, value: Scalar) {
  const holds = {
    above: (order: number) => order > 0,
    atLeast: (order: number) => order >= 0,
    below: (order: number) => order < 0,
    atMost: (order: number) => order <= 0,
  }[is];
  return (row: Columns) => row[field] !== null && holds(compare(row[field], value));
}

function compare(left: unknown, right: unknown): number {
  if (typeof left === 'string' && typeof right === 'string') return compareText(left, right);
  return Number(left) - Number(right);
}

/** By code points, as SQLite compares UTF-8; JavaScript's own order differs where surrogates meet U+E000 to U+FFFF. */
function compareText(left: string, right: string): number {
  if (left === right) return 0;
  const shorter = Math.min(left.length, right.length);
  for (let i = 0; i < shorter; i++) {
    const [a, b] = [left.charCodeAt(i), right.charCodeAt(i)];
    if (a !== b) return isSurrogate(a) === isSurrogate(b) ? a - b : isSurrogate(a) ? 1 : -1;
  }
  return left.length - right.length;
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}
