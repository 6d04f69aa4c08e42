import type { Dialect } from './dialect/dialect.js';
import type { Pack } from './units/pack.js';
import type { Statement } from './statements/statement.js';

/**
 * A connection for statements. The writer's statements run one after the other, in the order in which they were given.
 */
export interface Connection {
  readonly dialect: Dialect;

  /** Returns the rows of a statement. */
  rows(statement: Statement): Promise<Record<string, unknown>[]>;

  /** Returns the number of rows that a statement changed. @throws ConflictError at a unique key */
  change(statement: Statement): Promise<number>;
}

/** The only connection that writes. Its user is inside a transaction, so nothing else may read through it. */
export interface Writer extends Connection {
  readonly pack: Pack;

  /**
   * Resolves when statements can be run; call it between transactions. After a lost connection it waits for a new one,
   * and then resolves with true once.
   *
   * @throws LostConnection if there is none for some time
   */
  ready(): Promise<boolean>;
}

/** Reads through several connections in turn, so that a long read delays only some of the others. */
export function inTurn(readers: readonly Connection[], dialect: Dialect): Connection {
  let turn = 0;
  const next = (): Connection => {
    const reader = readers[turn++ % readers.length];
    if (reader === undefined) throw new Error('There is no connection to read through');
    return reader;
  };
  return { dialect, rows: (statement) => next().rows(statement), change: (statement) => next().change(statement) };
}
