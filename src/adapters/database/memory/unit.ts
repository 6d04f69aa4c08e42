import assert from 'node:assert/strict';
import { ConflictError, type Unit, type ListQuery } from '../../../ports/database.js';
import { every } from '../../../ports/tables/where.js';
import type { Selection } from '../typed.js';
import type { Keys } from '../../../ports/tables/shape.js';
import type { TableName } from '../../../ports/tables/tables.js';
import { type Scalar, totalOrder } from '../../../wire/lists/query.js';
import { keyText } from './index.js';
import type { MemoryTable } from './table.js';
import { asRows, assertValues, changedRow, frozenRow } from '../statements/rows.js';
import {
  assertKey,
  assertQuery,
  assertWhere,
  type Columns,
  orderOf,
  matcherOf,
  sequenceOf,
} from '../statements/selection.js';
import { isOfKey, tables } from '../tables/tables.js';
import { type Reads, typedReads, typedWrites } from '../typed.js';
import { assertChanges } from '../units/write.js';

export type MemoryTables = ReadonlyMap<TableName, MemoryTable>;

/** The changes of a unit, kept apart from the committed rows until the commit. */
interface Changes {
  /** The row at each sequence, or undefined if it was removed. */
  readonly rows: Map<number, Columns | undefined>;
  /** By the number of a unique key: the sequences of values that no committed row had there. */
  readonly owners: Map<string, number>[];
  used: number;
}

/** One run of a unit over the committed rows. */
export interface MemoryUnit {
  readonly database: Unit;

  /** The conflict of one of its writes at a unique key, even if the unit caught the error. */
  conflict(): ConflictError | undefined;

  /** Applies all its changes to the committed rows. */
  commit(): void;

  /** Ends the run: its `database` refuses every later call. */
  end(): void;
}

/** Reads committed rows, or rows with a unit's changes. */
export function createMemoryReader(
  committed: MemoryTables,
  changesOf: (table: TableName) => Changes | undefined = () => undefined,
): Reads {
  return {
    find: async (table, query) => asRows(find(committed, changesOf(table), table, query)),
    values: async (table, column, query) =>
      asRows<typeof table>(find(committed, changesOf(table), table, query)).map((row) => row[column]),
    exact: async (table, keys) => asRows(exact(committed, changesOf(table), table, keys)),
    count: async (table, selection) => selected(committed, changesOf(table), table, selection).length,
  };
}

/** @param used the highest sequence in use, by table; updated by `commit` */
export function createMemoryUnit(committed: MemoryTables, used: Map<TableName, number>): MemoryUnit {
  const changed = new Map<TableName, Changes>();
  let conflict: ConflictError | undefined;
  let isOpen = true;

  async function whileOpen<R>(work: () => R | Promise<R>): Promise<R> {
    assert(isOpen, 'a unit reads and writes before it ends');
    try {
      return await work();
    } catch (error) {
      if (error instanceof ConflictError) conflict ??= error;
      throw error;
    }
  }

  function changesOf(table: TableName): Changes {
    const known = changed.get(table);
    if (known) return known;
    const owners = tables[table].uniqueKeys.map(() => new Map<string, number>());
    const fresh: Changes = { rows: new Map(), owners, used: used.get(table) ?? 0 };
    changed.set(table, fresh);
    return fresh;
  }

  const choose = (table: TableName, selection: Selection) => selected(committed, changed.get(table), table, selection);
  const reads = createMemoryReader(committed, (table) => changed.get(table));

  function update(table: TableName, selection: Selection, values: Columns): Promise<number> {
    return whileOpen(() => {
      assertValues(table, values, false);
      const rows = choose(table, selection).sort(orderOf([]));
      for (const before of rows) change(committed, changesOf(table), table, before, values);
      return rows.length;
    });
  }

  function remove(table: TableName, selection: Selection): Promise<number> {
    return whileOpen(() => {
      const rows = choose(table, selection);
      for (const row of rows) displace(changesOf(table), table, row);
      return rows.length;
    });
  }

  const database: Unit = {
    ...typedReads({
      find: (table, query) => whileOpen(() => reads.find(table, query)),
      values: (table, column, query) => whileOpen(() => reads.values(table, column, query)),
      exact: (table, keys) => whileOpen(() => reads.exact(table, keys)),
      count: (table, selection) => whileOpen(() => reads.count(table, selection)),
    }),
    ...typedWrites({ update, remove }),
    insert: (table, rows) => whileOpen(() => add(committed, changesOf(table), table, rows, 'insert')),
    put: (table, rows) => whileOpen(() => add(committed, changesOf(table), table, rows, 'put')),
    updateEach: (table, key, rows) =>
      whileOpen(() => {
        assertChanges(table, key, rows);
        for (const row of rows) {
          const { [key]: value, ...values } = row as Columns;
          const where = [{ field: key, is: 'equal', value: value as Scalar } as const]; // as asserted
          for (const before of choose(table, { namespace: every, where }))
            change(committed, changesOf(table), table, before, values);
        }
      }),
  };

  return {
    database,
    conflict: () => conflict,
    commit() {
      for (const [table, changes] of changed) {
        committed.get(table)?.apply(changes.rows);
        used.set(table, changes.used);
      }
    },
    end: () => void (isOpen = false),
  };
}

function find(
  committed: MemoryTables,
  changes: Changes | undefined,
  table: TableName,
  query: ListQuery,
): readonly Columns[] {
  assertQuery(table, query);
  const [first] = totalOrder(query.sort);
  const start = query.skip ?? 0;
  const end = start + query.limit;
  if (changes === undefined && first?.field === 'sequence') {
    const matches = matcherOf(table, query);
    const choice = { matches, count: end, isDescending: first.descending ?? false };
    return committed.get(table)?.first(query.where, choice).slice(start) ?? [];
  }
  return selected(committed, changes, table, query).sort(orderOf(query.sort)).slice(start, end);
}

function exact<T extends TableName>(
  committed: MemoryTables,
  changes: Changes | undefined,
  table: T,
  { columns, values }: Keys<T>,
): Columns[] {
  assertKey(table, columns);
  const rows = values.flatMap((value) => {
    const where = columns.map((field, i) => ({ field, is: 'equal', value: value[i] ?? '' }) as const);
    return selected(committed, changes, table, { namespace: every, where });
  });
  return [...new Set(rows)];
}

/** The rows of a selection, as the unit sees them; in no order. */
function selected(
  committed: MemoryTables,
  changes: Changes | undefined,
  table: TableName,
  selection: Selection,
): Columns[] {
  assertWhere(table, selection.where);
  const matches = matcherOf(table, selection);
  const rows: Columns[] = [];
  for (const row of committed.get(table)?.candidates(selection.where) ?? []) {
    if (!changes?.rows.has(sequenceOf(row)) && matches(row)) rows.push(row);
  }
  for (const row of changes?.rows.values() ?? []) if (row && matches(row)) rows.push(row);
  return rows;
}

/** @throws ConflictError if a row to insert has the key of another */
function add(
  committed: MemoryTables,
  changes: Changes,
  table: TableName,
  rows: readonly Columns[],
  mode: 'insert' | 'put',
): void {
  for (const row of rows) assertValues(table, row, true);
  for (const values of rows) {
    const row = frozenRow(table, (changes.used += 1), values);
    const key = keyInUse(committed, changes, table, row);
    if (key === undefined) place(changes, table, row);
    else if (mode === 'insert') throw new ConflictError(table, key);
  }
}

/** @throws ConflictError if the row would get the key of another */
function change(committed: MemoryTables, changes: Changes, table: TableName, before: Columns, values: Columns): void {
  const row = changedRow(table, before, values);
  if (!isOfKey(table, Object.keys(values))) {
    changes.rows.set(sequenceOf(row), row);
    return;
  }
  displace(changes, table, before);
  const key = keyInUse(committed, changes, table, row);
  if (key !== undefined) throw new ConflictError(table, key);
  place(changes, table, row);
}

/** The unique key in which another row has the values of this one. */
function keyInUse(
  committed: MemoryTables,
  changes: Changes,
  table: TableName,
  row: Columns,
): readonly string[] | undefined {
  const { uniqueKeys } = tables[table];
  return uniqueKeys.find((key, i) => {
    const text = keyText(key, row);
    if (text === undefined) return false;
    if (changes.owners[i]?.has(text)) return true;
    const owner = committed.get(table)?.owner(i, text);
    if (owner === undefined || !changes.rows.has(sequenceOf(owner))) return owner !== undefined;
    const changed = changes.rows.get(sequenceOf(owner));
    return changed !== undefined && keyText(key, changed) === text;
  });
}

function place(changes: Changes, table: TableName, row: Columns): void {
  const { uniqueKeys } = tables[table];
  changes.rows.set(sequenceOf(row), row);
  for (const [i, key] of uniqueKeys.entries()) {
    const text = keyText(key, row);
    if (text !== undefined) changes.owners[i]?.set(text, sequenceOf(row));
  }
}

function displace(changes: Changes, table: TableName, row: Columns): void {
  const { uniqueKeys } = tables[table];
  changes.rows.set(sequenceOf(row), undefined);
  for (const [i, key] of uniqueKeys.entries()) {
    const text = keyText(key, row);
    if (text !== undefined) changes.owners[i]?.delete(text);
  }
}
