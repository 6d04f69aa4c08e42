import assert from 'node:assert/strict';
import { ConflictError, type Unit } from '../../../ports/database.js';
import type { TableName } from '../../../ports/tables/tables.js';
import { createCachedReads } from '../resident/cached-reads.js';
import type { Connection } from '../connection.js';
import { createWriteBuffer, type WriteBuffer } from './write-buffer.js';
import type { ResidentUnit } from '../resident/store.js';
import type { Columns } from '../statements/selection.js';
import { createAdd } from './unit-add.js';
import { createChanges } from './unit-changes.js';
import { createUnitFile } from './unit-file.js';
import { typedReads, typedWrites } from '../typed.js';

/** One run of a unit inside a transaction. */
export interface UnitRun {
  readonly database: Unit;

  /** Rows that are not written yet. */
  readonly buffer: WriteBuffer;

  /** The highest sequence in use, by table. */
  readonly sequences: Map<TableName, number>;

  /** Whether part of it was written in the transaction, so that it cannot be undone alone. */
  isWritten(): boolean;

  /** The conflict of a row that it added at a unique key, even if the unit caught the error. */
  conflict(): ConflictError | undefined;

  /** Whether it put rows whose keys were assumed to be free: a conflict with such a row may be none. */
  hasAssumed(): boolean;

  /** Ends the run: its `database` refuses every later call. */
  end(): void;
}

interface UnitRunParts {
  readonly connection: Connection;
  /** Rows of earlier units of this transaction that are not written yet. */
  readonly earlier: WriteBuffer;
  readonly sequences: ReadonlyMap<TableName, number>;
  readonly resident: ResidentUnit;
  /** Whether to assume nothing about the keys of rows that are put. */
  readonly isCareful: boolean;
}

/** Buffers the writes of a unit, and writes them before a statement that depends on them. */
export function createUnitRun(parts: UnitRunParts): UnitRun {
  const { dialect } = parts.connection;
  const used = new Map(parts.sequences);
  const buffer = createWriteBuffer();
  const file = createUnitFile({ ...parts, buffer });
  const add = createAdd({ ...parts, buffer, used });
  const reads = createCachedReads(parts.resident, dialect, file.read);
  const changes = createChanges({ ...parts, dialect, buffer, file });
  const serializer = createSerializer();
  let conflict: ConflictError | undefined;
  let hasPut = false;

  async function insert(table: TableName, rows: readonly Columns[]): Promise<void> {
    try {
      add(table, 'insert', rows);
    } catch (error) {
      if (error instanceof ConflictError) conflict ??= error;
      throw error;
    }
  }

  async function put(table: TableName, rows: readonly Columns[]): Promise<void> {
    hasPut = true;
    add(table, 'put', rows);
  }

  const database: Unit = {
    ...typedReads({
      find: (table, query) => serializer.run(() => reads.find(table, query)),
      values: (table, column, query) => serializer.run(() => reads.values(table, column, query)),
      exact: (table, keys) => serializer.run(() => reads.exact(table, keys)),
      count: (table, selection) => serializer.run(() => reads.count(table, selection)),
    }),
    ...typedWrites({
      update: (table, selection, values) => serializer.run(() => changes.update(table, selection, values)),
      remove: (table, selection) => serializer.run(() => changes.remove(table, selection)),
    }),
    insert: (table, rows) => serializer.run(() => insert(table, rows)),
    put: (table, rows) => serializer.run(() => put(table, rows)),
    updateEach: (table, key, rows) => serializer.run(async () => changes.updateEach(table, key, rows)),
  };

  return {
    database,
    buffer,
    sequences: used,
    isWritten: file.isWritten,
    conflict: () => conflict,
    hasAssumed: () => hasPut && !parts.isCareful,
    end: serializer.end,
  };
}

/** Runs concurrent calls in call order, including those that take two statements. */
function createSerializer() {
  let last: Promise<unknown> = Promise.resolve();
  let isOpen = true;
  return {
    async run<R>(work: () => Promise<R>): Promise<R> {
      assert(isOpen, 'a unit reads and writes before it ends');
      const result = last.then(work);
      last = result.catch(() => undefined);
      return result;
    },
    end(): void {
      isOpen = false;
    },
  };
}
