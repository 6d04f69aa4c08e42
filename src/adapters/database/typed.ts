import type { ListQuery, Reader, Unit } from '../../ports/database.js';
import type { Keys } from '../../ports/tables/shape.js';
import type { NewRow, TableName, Tables } from '../../ports/tables/tables.js';
import { type Column, every, type Match, type Where } from '../../ports/tables/where.js';
import { assert } from '../../domain/invariant.js';
import { among, type Condition, equal, type Scalar } from '../../wire/lists/query.js';

export type Selection = Pick<ListQuery, 'namespace' | 'where'>;

/** The reads of an engine, by conditions. */
export interface Reads {
  find<T extends TableName>(table: T, query: ListQuery): Promise<readonly Tables[T][]>;
  values<T extends TableName, C extends Column<T>>(
    table: T,
    column: C,
    query: ListQuery,
  ): Promise<readonly Tables[T][C][]>;
  exact<T extends TableName>(table: T, keys: Keys<T>): Promise<readonly Tables[T][]>;
  count(table: TableName, selection: Selection): Promise<number>;
}

/** The writes of an engine to existing rows, by conditions. */
export interface Writes {
  update<T extends TableName>(table: T, selection: Selection, changes: Partial<NewRow<T>>): Promise<number>;
  remove(table: TableName, selection: Selection): Promise<number>;
}

/** Creates the reads of the port from those of an engine. */
export function typedReads({ find, values, exact, count }: Reads): Reader {
  async function one<T extends TableName>(table: T, where: Where<T>, by: string, descending: boolean) {
    const [row] = await find(table, { ...selectionOf(where), sort: [{ field: by, descending }], limit: 1 });
    return row;
  }

  return {
    first: (table, where, by = 'sequence') => one(table, where, by, false),
    last: (table, where, by = 'sequence') => one(table, where, by, true),
    rows: async (table, where, { limit, by = 'sequence', newestFirst: descending = false }) =>
      find(table, { ...selectionOf(where), sort: [{ field: by, descending }], limit }),
    values: async (table, column, where, { limit }) =>
      values(table, column, { ...selectionOf(where), sort: [], limit }),
    count: async (table, where) => count(table, selectionOf(where)),
    exact: async (table, key, rows) => exact(table, keysOf(key, rows)),
    has: async (table, where) => (await count(table, selectionOf(where))) > 0,
  };
}

/** Creates the writes of the port to existing rows from those of an engine. */
export function typedWrites({ update, remove }: Writes): Pick<Unit, 'update' | 'remove'> {
  return {
    update: async (table, where, changes) => update(table, selectionOf(where), changes),
    remove: async (table, where) => remove(table, selectionOf(where)),
  };
}

/** The values of rows in the columns of a unique key. */
export function keysOf<T extends TableName, C extends Column<T>>(
  columns: readonly C[],
  rows: readonly Pick<Tables[T], C>[],
): Keys<T> {
  return { columns, values: rows.map((row) => columns.map((column) => String(row[column]))) };
}

function selectionOf(given: object): Selection {
  const { namespace = every, ...columns } = given as { readonly namespace?: unknown };
  const where = Object.entries(columns).map(([field, match]) => conditionOf(field, match));
  if (namespace === every) return { namespace: every, where };
  if (typeof namespace === 'string') return { namespace, where };
  return { namespace: every, where: [conditionOf('namespace', namespace), ...where] };
}

/** The condition that a column matches. */
function conditionOf(field: string, match: unknown): Condition {
  assert(match !== undefined, 'a column that is named has a value');
  const given = match as Match<Scalar | null>; // `Where` has checked it
  if (given === null) return { field, is: 'null' };
  if (typeof given !== 'object') return equal(field, given);
  if (isList(given)) return among(field, given);
  if (given.is === 'both') return { is: 'all', of: given.of.map((test) => conditionOf(field, test)) };
  if (given.is === 'not') return { is: 'not', of: conditionOf(field, given.of) };
  return { field, ...given };
}

function isList(match: object): match is readonly Scalar[] {
  return Array.isArray(match);
}
