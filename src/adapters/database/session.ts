import type { Unit } from '../../ports/database.js';
import type { TableName } from '../../ports/tables.js';
import { createGathering } from './gathering.js';
import { type Connection, plain } from './sqlite.js';
import { createTrial } from './trial.js';

/** How a unit ended inside a transaction that it may share with others. */
export type Ending =
  | { readonly kind: 'done'; readonly value: unknown }
  /** It threw and left no trace: the transaction goes on without it. */
  | { readonly kind: 'refused'; readonly error: unknown }
  /** It threw after writing, or a statement failed: the whole transaction must be rolled back. */
  | { readonly kind: 'spoiled'; readonly error: unknown };

/** The one writer. Its transactions do not overlap. */
export interface Session {
  begin(): Promise<void>;
  run(unit: (database: Unit) => Promise<unknown>): Promise<Ending>;

  /** Writes what was gathered and resolves when all of it is on disk, with the number of rows written. */
  commit(): Promise<number>;
  rollback(): Promise<void>;
}

/** @param sequences the highest sequence ever used, by table */
export function createSession(connection: Connection, sequences: ReadonlyMap<TableName, number>): Session {
  const gathered = createGathering();
  let used = sequences;
  let usedBefore = sequences;
  let written = 0;
  let failure: { readonly error: unknown } | undefined;

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
      const count = await guard(connection.change(statement));
      written += count;
      return count;
    },
  };

  return {
    async begin() {
      usedBefore = used;
      failure = undefined;
      written = 0;
      await connection.rows(plain('begin immediate'));
    },

    async run(unit) {
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
      await gathered.flush(guarded);
      await connection.rows(plain('commit'));
      return written;
    },

    async rollback() {
      gathered.clear();
      used = usedBefore;
      try {
        await connection.rows(plain('rollback'));
      } catch (cause) {
        // After some errors, such as a full disk, SQLite has rolled back by itself.
        if (!(cause instanceof Error && cause.message.includes('no transaction is active'))) throw cause;
      }
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
