import type { Statement } from './statement.js';

/** The part of the driver's connection that is used here. */
export interface Driver {
  serialize(): void;
  /** Interrupts the running statements; they reject. */
  interrupt(): void;
  exec(sql: string, done: (error: Error | null) => void): void;
  prepare(sql: string, done: (error: Error | null) => void): DriverStatement;
}

interface DriverStatement {
  all(bindings: readonly unknown[], done: (error: Error | null, rows?: Record<string, unknown>[]) => void): void;
  run(bindings: readonly unknown[], done: (this: { readonly changes: number }, error: Error | null) => void): void;
  finalize(done: () => void): void;
}

export interface Answer {
  readonly rows: Record<string, unknown>[];
  readonly changes: number;
}

/** Prepared statements of one connection, each compiled once. */
export interface Prepared {
  run(statement: Statement): Promise<Answer>;
  close(): Promise<void>;
}

/** Enough for all statements with fixed text; most of those that vary with a number of rows recur too. */
const maxKept = 200;
/** Longer ones are rare, and use much memory. */
const maxKeptCharacters = 16_384;

/**
 * Caches compiled statements. SQLite takes as long to compile a wide statement as to run it, and knex takes longer than
 * both to pass it on (measured: 82 → 37 and 240 → 175 µs of processor time a statement).
 */
export function createPrepared(driver: Driver): Prepared {
  const kept = new Map<string, DriverStatement>();

  function take(sql: string): Compiled {
    const statement = kept.get(sql);
    kept.delete(sql);
    return statement === undefined ? compile(driver, sql) : { statement, outcome: undefined };
  }

  async function keep(sql: string, statement: DriverStatement): Promise<void> {
    if (sql.length > maxKeptCharacters || kept.has(sql)) return finalize(statement);
    kept.set(sql, statement);
    const [oldest] = kept;
    if (kept.size > maxKept && oldest !== undefined) {
      kept.delete(oldest[0]);
      await finalize(oldest[1]);
    }
  }

  return {
    async run({ method, sql, bindings }) {
      if (method === 'script') return runScript(driver, sql);
      const { statement, outcome } = take(sql);
      // Passed to the driver at once, even if it must be compiled first: statements run in the order in which they
      // arrive.
      const answer =
        method === 'select' || method === 'raw' ? readRows(statement, bindings) : change(statement, bindings);
      const error = await outcome;
      if (error !== undefined) throw error;
      try {
        return await answer;
      } finally {
        await keep(sql, statement);
      }
    },
    async close() {
      for (const statement of kept.values()) await finalize(statement);
      kept.clear();
    },
  };
}

/** A statement that was passed to the driver for compilation. */
interface Compiled {
  readonly statement: DriverStatement;
  /** The error, if compilation fails; calls that run the statement would then never be answered. */
  readonly outcome: Promise<Error | undefined> | undefined;
}

function compile(driver: Driver, sql: string): Compiled {
  let settle: (error: Error | undefined) => void = () => undefined;
  const outcome = new Promise<Error | undefined>((resolve) => {
    settle = resolve;
  });
  return { statement: driver.prepare(sql, (error) => settle(error ?? undefined)), outcome };
}

function readRows(statement: DriverStatement, bindings: readonly unknown[]): Promise<Answer> {
  return new Promise((resolve, reject) => {
    statement.all(bindings, (error, rows = []) => {
      if (error) reject(error);
      else resolve({ rows, changes: 0 });
    });
  });
}

function change(statement: DriverStatement, bindings: readonly unknown[]): Promise<Answer> {
  return new Promise((resolve, reject) => {
    statement.run(bindings, function done(error) {
      if (error) reject(error);
      else resolve({ rows: [], changes: this.changes });
    });
  });
}

/** Runs statements of one text. If one of them fails, a transaction that they began stays open. */
function runScript(driver: Driver, sql: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    driver.exec(sql, (error) => {
      if (error) reject(error);
      else resolve({ rows: [], changes: 0 });
    });
  });
}

function finalize(statement: DriverStatement): Promise<void> {
  return new Promise((resolve) => {
    statement.finalize(resolve);
  });
}
