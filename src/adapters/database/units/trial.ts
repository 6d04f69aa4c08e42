import assert from 'node:assert/strict';
import { ConflictError, type Unit } from '../../../ports/database.js';
import type { TableName } from '../../../ports/tables/tables.js';
import { createCachedReads } from '../resident/cached-reads.js';
import type { Connection } from '../connection.js';
import { createGathering, type Gathering } from './gathering.js';
import type { ResidentUnit } from '../resident/store.js';
import type { Columns } from '../statements/selection.js';
import { createAdd } from './trial-add.js';
import { createChanges } from './trial-changes.js';
import { createTrialFile } from './trial-file.js';
import { typedReads, typedWrites } from '../typed.js';

/** One run of a unit inside a transaction. */
export interface Trial {
  readonly database: Unit;

  /** Rows that are not written yet. */
  readonly gathered: Gathering;

  /** The highest sequence in use, by table. */
  readonly sequences: Map<TableName, number>;

  /** Whether some of it was written in the transaction, so that it cannot be undone alone. */
  isWritten(): boolean;

  /** The conflict of a row that it added at a unique key, even if the unit caught the error. */
  conflict(): ConflictError | undefined;

  /** Ends the run: its `database` refuses every later call. */
  end(): void;
}

interface TrialParts {
  readonly connection: Connection;
  /** Rows of earlier units of this transaction that are not written yet. */
  readonly earlier: Gathering;
  readonly sequences: ReadonlyMap<TableName, number>;
  readonly resident: ResidentUnit;
  /** Assumes nothing about the keys of rows that are put. */
  readonly isCareful: boolean;
}

/** Gathers the writes of a unit, and writes them before a statement that depends on them. */
export function createTrial(parts: TrialParts): Trial {
  const { dialect } = parts.connection;
  const used = new Map(parts.sequences);
  const gathered = createGathering();
  const file = createTrialFile({ ...parts, gathered });
  const add = createAdd({ ...parts, gathered, used });
  const reads = createCachedReads(parts.resident, dialect, file.read);
  const changes = createChanges({ ...parts, dialect, gathered, file });
  const turns = createTurns();
  let conflict: ConflictError | undefined;

  async function insert(table: TableName, rows: readonly Columns[]): Promise<void> {
    try {
      add(table, 'insert', rows);
    } catch (error) {
      if (error instanceof ConflictError) conflict ??= error;
      throw error;
    }
  }

  const database: Unit = {
    ...typedReads({
      find: (table, query) => turns.take(() => reads.find(table, query)),
      exact: (table, keys) => turns.take(() => reads.exact(table, keys)),
      count: (table, selection) => turns.take(() => reads.count(table, selection)),
    }),
    ...typedWrites({
      update: (table, selection, values) => turns.take(() => changes.update(table, selection, values)),
      remove: (table, selection) => turns.take(() => changes.remove(table, selection)),
    }),
    insert: (table, rows) => turns.take(() => insert(table, rows)),
    put: (table, rows) => turns.take(async () => add(table, 'put', rows)),
    updateEach: (table, key, rows) => turns.take(async () => changes.updateEach(table, key, rows)),
  };

  return {
    database,
    gathered,
    sequences: used,
    isWritten: file.isWritten,
    conflict: () => conflict,
    end: turns.end,
  };
}

/** Runs concurrent calls in the order in which they were made, including those that take two statements. */
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
