import type { Unit } from '../../ports/database.js';
import type { TableName } from '../../ports/tables.js';
import { createGathering } from './gathering.js';
import { createPack, type Pack } from './pack.js';
import type { Statement } from './query.js';
import { type Connection, plain } from './sqlite.js';
import { createTrial } from './trial.js';

/** How a unit ended inside a transaction that it may share with others. */
export type Ending =
  | { readonly kind: 'done'; readonly value: unknown }
  /** It threw and left no trace: the transaction goes on without it. */
  | { readonly kind: 'refused'; readonly error: unknown }
  /** It threw after writing, or a statement failed: the whole transaction must be rolled back. */
  | { readonly kind: 'spoiled'; readonly error: unknown };

/**
 * The one writer. Its transactions do not overlap, and each begins with its first statement that changes something:
 * before, reads see what they would see inside it, since nobody else writes.
 */
export interface Session {
  run(unit: (database: Unit) => Promise<unknown>): Promise<Ending>;

  /** Writes what was gathered and resolves when all of it is on disk, with the number of rows that were written. */
  commit(): Promise<number>;

  /** Undoes what was written since the last commit. If that fails, nothing is read or written any more. */
  rollback(): Promise<void>;
}

/** @param sequences the highest sequence ever used, by table */
export function createSession(connection: Connection, sequences: ReadonlyMap<TableName, number>): Session {
  const pack = createPack(connection);
  const transaction = createTransaction(connection, pack);
  let gathered = createGathering();
  let used = sequences;
  let usedBefore = sequences;
  let written = 0;
  let failure: Failure | undefined;

  /** A failed statement spoils the transaction, whether or not the unit looks at the promise. */
  async function guard<R>(work: Promise<R>): Promise<R> {
    try {
      return await work;
    } catch (error) {
      failure ??= { error };
      throw error;
    }
  }

  const guarded: Connection = {
    rows: (statement) => guard(connection.rows(statement)),
    async change(statement) {
      await guard(transaction.begin());
      const count = await guard(connection.change(statement));
      written += count;
      return count;
    },
  };

  function startAnew(): void {
    gathered = createGathering();
    usedBefore = used;
    failure = undefined;
    written = 0;
  }

  return {
    async run(unit) {
      const stuck = transaction.stuck();
      if (stuck) return { kind: 'spoiled', error: stuck.error };
      const trial = createTrial({ connection: guarded, earlier: gathered, sequences: used });
      const ending = await settle(() => unit(trial.database));
      trial.end();
      if (failure) return { kind: 'spoiled', error: failure.error };
      if (ending.kind === 'refused' && trial.isWritten()) return { kind: 'spoiled', error: ending.error };
      if (ending.kind === 'done') {
        gathered.append(trial.gathered);
        used = trial.sequences;
      }
      return ending;
    },

    async commit() {
      const writes = gathered.take();
      await transaction.commit(await pack.statements(writes));
      const count = written + writes.reduce((sum, { rows }) => sum + rows.length, 0);
      startAnew();
      return count;
    },

    async rollback() {
      await transaction.rollback();
      used = usedBefore;
      startAnew();
    },
  };
}

interface Failure {
  readonly error: unknown;
}

/** The transaction of the writer, which begins when something must be written before its end. */
function createTransaction(connection: Connection, pack: Pack) {
  let hasBegun = false;
  /** What kept it from being rolled back: it is still open, so nothing is read or written any more. */
  let stuck: Failure | undefined;

  async function begin(): Promise<void> {
    if (hasBegun) return;
    await connection.rows(plain('begin immediate'));
    pack.begin();
    hasBegun = true;
  }

  async function undo(): Promise<void> {
    pack.undo();
    try {
      await connection.rows(plain('rollback'));
    } catch (error) {
      // After some errors, such as a full disk, SQLite has rolled back by itself.
      if (error instanceof Error && error.message.includes('no transaction is active')) return;
      stuck = { error };
      throw error;
    }
  }

  return {
    begin,
    stuck: () => stuck,
    /** Its last statements, and the end. One statement is a transaction by itself. */
    async commit(statements: readonly Statement[]): Promise<void> {
      if (statements.length > 1) await begin();
      for (const statement of statements) await connection.change(statement);
      if (hasBegun) await connection.rows(plain('commit'));
      hasBegun = false;
    },
    async rollback(): Promise<void> {
      if (stuck) throw stuck.error;
      if (hasBegun) await undo();
      hasBegun = false;
    },
  };
}

async function settle(work: () => Promise<unknown>): Promise<Ending> {
  try {
    return { kind: 'done', value: await work() };
  } catch (error) {
    return { kind: 'refused', error };
  }
}
