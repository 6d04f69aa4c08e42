import assert from 'node:assert/strict';
import type { Selection, Unit } from '../../ports/database.js';
import type { TableName } from '../../ports/tables.js';
import { createGathering, type Gathering } from './gathering.js';
import { countStatement, type InsertMode, removeStatement, selectStatement, updateStatement } from './query.js';
import { assertValues, countIn, rowsOf } from './rows.js';
import { type Columns, matcherOf } from './selection.js';
import type { Connection } from './sqlite.js';
import { type Table, tables } from './tables.js';

/** One run of a unit inside a transaction. */
export interface Trial {
  readonly database: Unit;

  /** New rows that are not written yet. */
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

/** Gathers new rows, and writes them before a statement that could tell that they are missing. */
export function createTrial({ connection, earlier, sequences }: TrialParts): Trial {
  const used = new Map(sequences);
  const gathered = createGathering();
  let hasWritten = false;
  let isOpen = true;

  function assertOpen(): void {
    assert(isOpen, 'a unit reads and writes before it ends');
  }

  async function flush(table: TableName): Promise<void> {
    const isEarlierWritten = earlier.flush(connection, [table]);
    const isOwnWritten = gathered.flush(connection, [table]);
    await isEarlierWritten;
    hasWritten = (await isOwnWritten) || hasWritten;
  }

  async function flushIfMeant(table: TableName, selection: Selection): Promise<void> {
    const matches = matcherOf(table, selection);
    if (earlier.has(table, matches) || gathered.has(table, matches)) await flush(table);
  }

  async function gather(table: TableName, mode: InsertMode, rows: readonly Columns[]): Promise<void> {
    assertOpen();
    for (const row of rows) assertValues(table, row, true);
    let sequence = used.get(table) ?? 0;
    gathered.add(
      table,
      mode,
      rows.map((row) => ({ ...row, sequence: ++sequence })),
    );
    used.set(table, sequence);
  }

  const database: Unit = {
    async find<T extends TableName>(table: T, query: Parameters<Unit['find']>[1]) {
      assertOpen();
      const statement = selectStatement(table, query);
      await flushIfMeant(table, query);
      return rowsOf(table, await connection.rows(statement));
    },

    async count(table, selection) {
      assertOpen();
      const statement = countStatement(table, selection);
      await flushIfMeant(table, selection);
      return countIn(await connection.rows(statement));
    },

    insert: (table, rows) => gather(table, 'insert', rows),
    put: (table, rows) => gather(table, 'put', rows),

    async update(table, selection, changes) {
      assertOpen();
      assertValues(table, changes, false);
      const statement = updateStatement(table, selection, changes);
      if (isOfKey(table, changes)) await flush(table);
      else await flushIfMeant(table, selection);
      const count = await connection.change(statement);
      hasWritten ||= count > 0;
      return count;
    },

    async remove(table, selection) {
      assertOpen();
      const statement = removeStatement(table, selection);
      // A row put earlier may have to give way to one that is removed now, so this order must be kept for all of them.
      await flush(table);
      const count = await connection.change(statement);
      hasWritten ||= count > 0;
      return count;
    },
  };

  return {
    database,
    gathered,
    sequences: used,
    isWritten: () => hasWritten,
    end() {
      isOpen = false;
    },
  };
}

function isOfKey(table: TableName, changes: Columns): boolean {
  const { uniqueKeys }: Table = tables[table];
  return uniqueKeys.some((key) => key.some((column) => column in changes));
}
