import assert from 'node:assert/strict';
import { ConflictError, type Reader, type ScopedQuery, type Selection, type Unit } from '../../ports/database.js';
import type { TableName, Tables } from '../../ports/tables.js';
import { keyTexts, type MemoryTable } from './memory-table.js';
import { assertValues, frozenRow, sequenceOf } from './rows.js';
import { assertQuery, assertWhere, type Columns, comparerOf, matcherOf, totalOrder } from './selection.js';
import { type Table, tables } from './tables.js';

export type MemoryTables = ReadonlyMap<TableName, MemoryTable>;

/** What a unit changed, apart from the committed rows until it is committed. */
interface Changes {
  /** The row that stands at each sequence, undefined where one was removed. */
  readonly rows: Map<number, Columns | undefined>;
  /** By the number of a unique key: which sequence has the values. */
  readonly owners: Map<string, number>[];
  used: number;
}

/** One run of a unit over the committed rows. */
export interface MemoryUnit {
  readonly database: Unit;

  /** The unique key that one of its writes met, whatever the unit made of it. */
  conflict(): ConflictError | undefined;

  /** Makes everything that it changed part of the committed rows. */
  commit(): void;

  /** From now on its `database` refuses. */
  end(): void;
}

/** Reads of committed rows. */
export function createMemoryReader(committed: MemoryTables): Reader {
  return {
    find: async <T extends TableName>(table: T, query: ScopedQuery) =>
      asRows<T>(find(committed, undefined, table, query)),
    count: async (table, selection) => selected(committed, undefined, table, selection).length,
  };
}

/** @param used the highest sequence in use, by table; brought up to date by `commit` */
export function createMemoryUnit(committed: MemoryTables, used: Map<TableName, number>): MemoryUnit {
  const changed = new Map<TableName, Changes>();
  let conflict: ConflictError | undefined;
  let isOpen = true;

  function assertOpen(): void {
    assert(isOpen, 'a unit reads and writes before it ends');
  }

  function changesOf(table: TableName): Changes {
    const { uniqueKeys }: Table = tables[table];
    const known = changed.get(table);
    if (known) return known;
    const fresh = { rows: new Map(), owners: uniqueKeys.map(() => new Map()), used: used.get(table) ?? 0 };
    changed.set(table, fresh);
    return fresh;
  }

  async function add(table: TableName, rows: readonly Columns[], isPut: boolean): Promise<void> {
    assertOpen();
    for (const row of rows) assertValues(table, row, true);
    const changes = changesOf(table);
    for (const values of rows) {
      const row = frozenRow(table, (changes.used += 1), values);
      const key = keyInUse(committed, changes, table, row);
      if (key === undefined) place(changes, table, row);
      else if (!isPut) throw (conflict ??= new ConflictError(table, key));
    }
  }

  function change(table: TableName, before: Columns, values: Columns): void {
    const changes = changesOf(table);
    const row = frozenRow(table, sequenceOf(before), { ...before, ...values });
    displace(changes, table, before);
    const key = keyInUse(committed, changes, table, row);
    if (key !== undefined) throw (conflict ??= new ConflictError(table, key));
    place(changes, table, row);
  }

  const database: Unit = {
    async find<T extends TableName>(table: T, query: ScopedQuery) {
      assertOpen();
      return asRows<T>(find(committed, changed.get(table), table, query));
    },
    async count(table, selection) {
      assertOpen();
      return selected(committed, changed.get(table), table, selection).length;
    },
    insert: (table, rows) => add(table, rows, false),
    put: (table, rows) => add(table, rows, true),
    async update(table, selection, values) {
      assertOpen();
      assertValues(table, values, false);
      const rows = selected(committed, changed.get(table), table, selection).sort(comparerOf([]));
      for (const before of rows) change(table, before, values);
      return rows.length;
    },
    async remove(table, selection) {
      assertOpen();
      const rows = selected(committed, changed.get(table), table, selection);
      for (const row of rows) displace(changesOf(table), table, row);
      return rows.length;
    },
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
    end() {
      isOpen = false;
    },
  };
}

function find(
  committed: MemoryTables,
  changes: Changes | undefined,
  table: TableName,
  query: ScopedQuery,
): readonly Columns[] {
  assertQuery(table, query);
  const [first] = totalOrder(query.sort);
  const start = query.skip ?? 0;
  const end = start + query.limit;
  if (changes === undefined && first?.field === 'sequence') {
    const matches = matcherOf(table, query);
    const rows = committed.get(table)?.first(query.where, matches, end, first.descending ?? false) ?? [];
    return rows.slice(start);
  }
  return selected(committed, changes, table, query).sort(comparerOf(query.sort)).slice(start, end);
}

/** The rows that a selection means, as they stand for the unit; in no order. */
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

/** The unique key in which another row has the values of this one. */
function keyInUse(
  committed: MemoryTables,
  changes: Changes,
  table: TableName,
  row: Columns,
): readonly string[] | undefined {
  const { uniqueKeys }: Table = tables[table];
  for (const [i, text] of keyTexts(uniqueKeys, row)) {
    const owner = committed.get(table)?.owner(i, text);
    const isCommitted = owner !== undefined && !changes.rows.has(sequenceOf(owner));
    if (isCommitted || changes.owners[i]?.has(text)) return uniqueKeys[i];
  }
  return undefined;
}

function place(changes: Changes, table: TableName, row: Columns): void {
  const { uniqueKeys }: Table = tables[table];
  changes.rows.set(sequenceOf(row), row);
  for (const [i, text] of keyTexts(uniqueKeys, row)) changes.owners[i]?.set(text, sequenceOf(row));
}

function displace(changes: Changes, table: TableName, row: Columns): void {
  const { uniqueKeys }: Table = tables[table];
  changes.rows.set(sequenceOf(row), undefined);
  for (const [i, text] of keyTexts(uniqueKeys, row)) changes.owners[i]?.delete(text);
}

function asRows<T extends TableName>(rows: readonly Columns[]): readonly Tables[T][] {
  // Rows are made by `frozenRow`, with the columns of `tables.ts`, which the compiler compares with the row's type.
  return rows as unknown as readonly Tables[T][];
}
