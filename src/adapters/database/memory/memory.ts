import assert from 'node:assert/strict';
import type { Database, Unit } from '../../../ports/database.js';
import { every } from '../../../ports/tables/where.js';
import type { TableName } from '../../../ports/tables/tables.js';
import { createMemoryTable, type MemoryTable } from './table.js';
import { createMemoryReader, createMemoryUnit } from './unit.js';
import { shapedText } from '../tables/shape-text.js';
import { tableNames, tables } from '../tables/tables.js';
import { typedReads } from '../typed.js';

/** The state that outlives a database object, as a file outlives a process. */
export interface MemoryState {
  readonly tables: ReadonlyMap<TableName, MemoryTable>;
  /** The highest sequence ever used, by table. */
  readonly used: Map<TableName, number>;
  /** The number of times it was opened; only the object opened last is usable. */
  openings: number;
}

export function createMemoryState(): MemoryState {
  return {
    tables: new Map(tableNames.map((name) => [name, createMemoryTable(tables[name])])),
    used: new Map(),
    openings: 0,
  };
}

/**
 * A database in memory, for tests and simulations, with the same transactions and unique keys. Nothing in it depends on
 * time, randomness or threads. To simulate a crash, abandon the object and open another on its state: committed rows
 * are present, the writes of a unit in progress are not, and any later call to the abandoned object rejects and changes
 * nothing.
 */
export function createMemoryDatabase(state: MemoryState = createMemoryState()): Database {
  const reader = createMemoryReader(state.tables);
  const opening = (state.openings += 1);
  let isClosed = false;
  let last: Promise<unknown> = Promise.resolve();

  function assertAlive(): void {
    assert(state.openings === opening, 'the database was opened again: this handle must not be used');
  }

  async function whileOpen<R>(work: () => Promise<R>): Promise<R> {
    assertAlive();
    if (isClosed) throw new Error('The database is closed');
    return work();
  }

  /** Runs one unit from beginning to end, after the previous ones have ended. */
  async function run<R>(unit: (database: Unit) => Promise<R>, before: Promise<unknown>): Promise<R> {
    await before;
    assertAlive();
    const run = createMemoryUnit(state.tables, state.used);
    let value: R;
    try {
      value = await unit(run.database);
    } catch (error) {
      throw run.conflict() ?? error;
    } finally {
      run.end();
    }
    assertAlive();
    const conflict = run.conflict();
    if (conflict) throw conflict;
    run.commit();
    return value;
  }

  return {
    ...typedReads({
      find: (table, query) => whileOpen(() => reader.find(table, query)),
      values: (table, column, query) => whileOpen(() => reader.values(table, column, query)),
      exact: (table, keys) => whileOpen(() => reader.exact(table, keys)),
      count: (table, selection) => whileOpen(() => reader.count(table, selection)),
    }),

    lists: {
      find: (table, query) => whileOpen(() => reader.find(table, query)),
      count: (table, selection) => whileOpen(() => reader.count(table, selection)),
    },

    transaction: (unit) =>
      whileOpen(() => {
        const turn = run(unit, last);
        last = turn.catch(() => undefined);
        return turn;
      }),

    texts: (table, shape, key, rows) =>
      whileOpen(() =>
        Promise.all(
          rows.map(async (row) => {
            const where = key.map((field) => ({ field, is: 'equal', value: String(row[field]) }) as const);
            const [found] = await reader.find(table, { namespace: every, where, sort: [], limit: 1 });
            return found === undefined ? undefined : shapedText(shape, { ...found });
          }),
        ),
      ),

    async close() {
      isClosed = true;
      await last;
    },
  };
}
