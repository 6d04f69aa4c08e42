import type { Dialect } from './dialect/dialect.js';
import type { Statement } from './statement.js';

/** A connection for statements. Those of the writer run one after the other in the order in which they were given. */
export interface Connection {
  readonly dialect: Dialect;

  /** Returns the rows of a statement. */
  rows(statement: Statement): Promise<Record<string, unknown>[]>;

  /** Returns the number of rows that a statement changed. @throws ConflictError at a unique key */
  change(statement: Statement): Promise<number>;
}
