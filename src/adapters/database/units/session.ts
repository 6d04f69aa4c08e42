import type { Unit } from '../../../ports/database.js';
import type { TableName } from '../../../ports/tables/tables.js';
import type { Writer } from '../connection.js';
import { createWriteBuffer } from './write-buffer.js';
import { LostConnection } from '../../../wire/errors/disk.js';
import type { ResidentStore, ResidentTransaction } from '../resident/store.js';
import { plain, type Statement } from '../statements/statement.js';
import { createUnitRun } from './unit-run.js';

/** The outcome of a unit inside a transaction that it may share with others. */
export type Ending =
  | { readonly kind: 'done'; readonly value: unknown }
  /** It threw without having written: the transaction continues without it. */
  | { readonly kind: 'refused'; readonly error: unknown }
  /** It threw after writing, or a statement failed: the whole transaction must be rolled back. */
  | { readonly kind: 'spoiled'; readonly error: unknown };

/**
 * The only writer. Its transactions do not overlap. Each begins with its first statement that changes something; until
 * then, reads outside it see the same as inside, since nothing else writes.
 */
export interface Session {
  /**
   * Runs a unit. `isCareful`: again, after it failed with a conflict because keys that are not in memory were assumed
   * to be free.
   */
  run(unit: (database: Unit) => Promise<unknown>, isCareful?: boolean): Promise<Ending>;

  /** Writes the buffered rows and resolves with the number of rows written when all of them are on disk. */
  commit(): Promise<number>;

  /** Resolves when there is a connection; between transactions. @throws LostConnection */
  ready(): Promise<void>;

  /** Undoes all writes since the last commit. If that fails, every later read and write is refused. */
  rollback(): Promise<void>;
}

/** @param sequences the highest sequence ever used, by table */
export function createSession(
  connection: Writer,
  sequences: ReadonlyMap<TableName, number>,
  resident: ResidentStore,
): Session {
  const { pack } = connection;
  const transaction = createTransaction(connection);
  const guarded = createGuarded(connection, transaction);
  let buffer = createWriteBuffer();
  /** Set from the first unit of a transaction to the end of the transaction. */
  let residents: ResidentTransaction | undefined;
  let [used, usedBefore] = [sequences, sequences];

  function startAnew(): void {
    buffer = createWriteBuffer();
    residents = undefined;
    usedBefore = used;
    guarded.startAnew();
  }

  const ready = createReady(connection, resident);

  async function begin(): Promise<ResidentTransaction> {
    await ready();
    await resident.refresh(connection, used);
    return resident.begin();
  }

  return {
    async run(unit, isCareful = false) {
      const stuck = transaction.stuck();
      if (stuck) return { kind: 'spoiled', error: stuck.error };
      try {
        residents ??= await begin();
      } catch (error) {
        return { kind: 'spoiled', error };
      }
      const own = residents.begin();
      const run = createUnitRun({ connection: guarded, earlier: buffer, sequences: used, resident: own, isCareful });
      const ending = await settle(() => unit(run.database));
      run.end();
      const failure = guarded.failure();
      if (failure) return { kind: 'spoiled', error: failure.error };
      const conflict = run.conflict();
      const error = conflict ?? (ending.kind === 'refused' ? ending.error : undefined);
      const isSpoiled = run.isWritten() || (conflict !== undefined && run.hasAssumed());
      if (conflict || ending.kind === 'refused') return { kind: isSpoiled ? 'spoiled' : 'refused', error };
      buffer.append(run.buffer);
      used = run.sequences;
      own.end();
      return ending;
    },

    async commit() {
      const writes = buffer.take();
      await transaction.commit(pack.statements(writes, used));
      const count = guarded.written() + writes.reduce((sum, { rows }) => sum + rows.length, 0);
      residents?.commit();
      startAnew();
      return count;
    },

    ready,

    async rollback() {
      await transaction.rollback();
      used = usedBefore;
      startAnew();
    },
  };
}

/** Creates the wait for a connection: rows in memory are read again through another one. */
function createReady(connection: Writer, resident: ResidentStore): () => Promise<void> {
  return async () => {
    if (await connection.ready()) resident.distrust();
  };
}

/** Wraps the connection for units: a failed statement spoils the transaction, even if the unit handles the error. */
function createGuarded(connection: Writer, transaction: ReturnType<typeof createTransaction>) {
  let written = 0;
  let failure: Failure | undefined;

  async function guard<R>(work: Promise<R>): Promise<R> {
    try {
      return await work;
    } catch (error) {
      failure ??= { error };
      throw error;
    }
  }

  return {
    dialect: connection.dialect,
    rows: (statement: Statement) => guard(connection.rows(statement)),
    async change(statement: Statement): Promise<number> {
      await guard(transaction.begin());
      const count = await guard(connection.change(statement));
      written += count;
      return count;
    },
    failure: () => failure,
    /** The number of rows changed before the end of the transaction. */
    written: () => written,
    startAnew(): void {
      failure = undefined;
      written = 0;
    },
  };
}

interface Failure {
  readonly error: unknown;
}

/** The transaction of the writer, which begins with the first write before its last statements. */
function createTransaction(connection: Writer) {
  const { pack } = connection;
  let hasBegun = false;
  /** The error of a failed rollback: the transaction is still open, so every later read and write is refused. */
  let stuck: Failure | undefined;

  async function begin(): Promise<void> {
    if (hasBegun) return;
    await connection.rows(connection.dialect.begin);
    pack.begin();
    hasBegun = true;
  }

  async function undo(): Promise<void> {
    pack.undo();
    try {
      await connection.rows(plain('rollback'));
    } catch (error) {
      // Uncommitted changes are undone with their connection.
      if (error instanceof LostConnection) return;
      // After some errors, such as a full disk, SQLite has already rolled back.
      if (error instanceof Error && error.message.includes('no transaction is active')) return;
      stuck = { error };
      throw error;
    }
  }

  return {
    begin,
    stuck: () => stuck,
    /** Runs the last statements and commits. A single statement or script is a transaction of its own. */
    async commit(statements: readonly Statement[]): Promise<void> {
      if (statements.length > 1) await begin();
      try {
        for (const statement of statements) await connection.change(statement);
        if (hasBegun) await connection.rows(plain('commit'));
      } catch (error) {
        // A script that begins a transaction leaves it open if it fails.
        hasBegun ||= statements.some(({ method }) => method === 'script');
        const mayBeDone = error instanceof LostConnection && !error.isUndone;
        if (!mayBeDone || !(await pack.isCommitted())) throw error;
      }
      pack.end();
      hasBegun = false;
    },
    async rollback(): Promise<void> {
      if (stuck) throw stuck.error;
      if (hasBegun) await undo();
      hasBegun = false;
    },
  };
}

async function settle(work: () => Promise<unknown>): Promise<Exclude<Ending, { kind: 'spoiled' }>> {
  try {
    return { kind: 'done', value: await work() };
  } catch (error) {
    return { kind: 'refused', error };
  }
}
