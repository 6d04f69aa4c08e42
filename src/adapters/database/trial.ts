import assert from 'node:assert/strict';
import type { ScopedQuery, Selection, Unit } from '../../ports/database.js';
import type { TableName } from '../../ports/tables.js';
import { createGathering, type Gathering } from './gathering.js';
import { countStatement, findStatement, removeStatement, type Statement, updateStatement } from './query.js';
import { assertValues, countIn, foundRows } from './rows.js';
import { type Columns, matcherOf } from './selection.js';
import type { Connection } from './sqlite.js';
import { isOfKey } from './tables.js';
import { assertChanges, changedRows, newRows, writeStatements } from './write.js';

/** One run of a unit inside a transaction. */
export interface Trial {
  readonly database: Unit;

  /** Rows that are not written yet. */
  readonly gathered: Gathering;

  /** The highest sequence in use, by table. */
  readonly sequences: Map<TableName, number>;

  /** Whether something of it is in the transaction, so that it cannot be undone alone. */
  isWritten(): boolean;

  /** From now on its `database` refuses. */
  end(): void;
}

interface TrialParts {
  readonly connection: Connection;
  /** Rows of earlier units of this transaction that are not written yet. */
  readonly earlier: Gathering;
  readonly sequences: ReadonlyMap<TableName, number>;
}

/** Gathers new and changed rows, and writes them before a statement that could tell that they are missing. */
export function createTrial({ connection, earlier, sequences }: TrialParts): Trial {
  const used = new Map(sequences);
  const gathered = createGathering();
  const gather = createGather(gathered, used);
  const turns = createTurns();
  let hasWritten = false;

  async function flush(table: TableName): Promise<void> {
    for (const each of [earlier, gathered]) {
      const statements = each.take([table]).flatMap(writeStatements);
      for (const statement of statements) await connection.change(statement);
      hasWritten ||= each === gathered && statements.length > 0;
    }
  }

  async function flushIfMeant(table: TableName, selection: Selection): Promise<void> {
    const matches = matcherOf(table, selection);
    if (earlier.has(table, matches) || gathered.has(table, matches)) await flush(table);
  }

  async function read(
    table: TableName,
    selection: Selection,
    statement: Statement,
  ): Promise<Record<string, unknown>[]> {
    await flushIfMeant(table, selection);
    return connection.rows(statement);
  }

  async function change(statement: Statement): Promise<number> {
    const count = await connection.change(statement);
    hasWritten ||= count > 0;
    return count;
  }

  async function update(table: TableName, selection: Selection, changes: Columns): Promise<number> {
    assertValues(table, changes, false);
    const statement = updateStatement(table, selection, changes);
    if (isOfKey(table, Object.keys(changes))) await flush(table);
    else await flushIfMeant(table, selection);
    return change(statement);
  }

  async function updateEach(table: TableName, key: string, rows: readonly Columns[]): Promise<void> {
    assertChanges(table, key, rows);
    gathered.add(changedRows(table, key, rows));
  }

  async function remove(table: TableName, selection: Selection): Promise<number> {
    const statement = removeStatement(table, selection);
    // A row put earlier may have to give way to one that is removed now, so this order must be kept for all of them.
    await flush(table);
    return change(statement);
  }

  const database: Unit = {
    find: <T extends TableName>(table: T, query: ScopedQuery) =>
      turns.take(async () => foundRows<T>(table, await read(table, query, findStatement(table, query)))),
    count: (table, selection) =>
      turns.take(async () => countIn(await read(table, selection, countStatement(table, selection)))),
    insert: (table, rows) => turns.take(() => gather(table, 'insert', rows)),
    put: (table, rows) => turns.take(() => gather(table, 'put', rows)),
    update: (table, selection, changes) => turns.take(() => update(table, selection, changes)),
    updateEach: (table, key, rows) => turns.take(() => updateEach(table, key, rows)),
    remove: (table, selection) => turns.take(() => remove(table, selection)),
  };

  return { database, gathered, sequences: used, isWritten: () => hasWritten, end: turns.end };
}

/** Gives new rows their sequences. */
function createGather(gathered: Gathering, used: Map<TableName, number>) {
  return async (table: TableName, mode: 'insert' | 'put', rows: readonly Columns[]): Promise<void> => {
    for (const row of rows) assertValues(table, row, true);
    const before = used.get(table) ?? 0;
    const sequenced = rows.map((row, i) => ({ ...row, sequence: before + 1 + i }));
    gathered.add(newRows(table, mode, sequenced));
    used.set(table, before + rows.length);
  };
}

/** Calls that are made at once take effect in the order in which they were made, also those of two statements. */
function createTurns() {
  let last: Promise<unknown> = Promise.resolve();
  let isOpen = true;
  return {
    async take<R>(work: () => Promise<R>): Promise<R> {
      assert(isOpen, 'a unit reads and writes before it ends');
      const turn = last.then(work);
      last = turn.catch(() => undefined);
      return turn;
    },
    end(): void {
      isOpen = false;
    },
  };
}
