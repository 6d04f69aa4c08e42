import type { Query } from '../wire/query.js';
import type { JsonText } from '../wire/scalar.js';
import type { Keys, Shape } from './shape.js';
import type { NewRow, TableName, Tables } from './tables.js';

/** Says in so many words that a query means the rows of all namespaces. */
export const everyNamespace = Symbol('every namespace');

export interface Scope {
  readonly namespace: string | typeof everyNamespace;
}

export type ScopedQuery = Scope & Query;
export type Selection = Scope & Pick<Query, 'where'>;

/** A unique key that an insert met. */
export class ConflictError extends Error {
  constructor(
    readonly table: TableName,
    /** The columns of the key, such as `['namespace', 'idempotencyKey']`. */
    readonly columns: readonly string[],
    options?: ErrorOptions,
  ) {
    super(`A row of ${table} with the same ${columns.join(', ')} exists`, options);
    this.name = 'ConflictError';
  }
}

export interface Reader {
  /**
   * Rows in the order asked for. Conditions compare exactly, text by code points, times as text; a field without a
   * value meets none but `null` and `not`. A field that the table does not have is an assertion failure. Fields that
   * hold arrays or objects can be asked for their absence, their elements or their text, and not sorted by; they come
   * back equal, not identical, to what was stored.
   */
  find<T extends TableName>(table: T, query: ScopedQuery): Promise<readonly Tables[T][]>;

  /** How many rows match. */
  count(table: TableName, selection: Selection): Promise<number>;
}

/** What runs inside one transaction. It sees its own writes and those of units before it, nothing of units after it. */
export interface Unit extends Reader {
  /**
   * Adds rows, in order. An existing key makes the whole unit reject with `ConflictError`, at the latest at its end: a
   * unit does not catch it.
   */
  insert<T extends TableName>(table: T, rows: readonly NewRow<T>[]): Promise<void>;

  /** Adds the rows whose unique keys are free and leaves existing rows as they are. */
  put<T extends TableName>(table: T, rows: readonly NewRow<T>[]): Promise<void>;

  /** Changes columns of all rows selected; resolves with their number. */
  update<T extends TableName>(table: T, selection: Selection, changes: Partial<NewRow<T>>): Promise<number>;

  /**
   * Changes columns of single rows, each row its own values, found by `key`: the sequence, or a column that alone is a
   * unique key. All have the same columns, none of them of a unique key. A row that is not there is passed over; of two
   * changes of one row the later counts. It is much cheaper than `update`, since nobody waits for a number, where the
   * unit asks for nothing of the table afterwards.
   */
  updateEach<T extends TableName, K extends keyof Tables[T] & string>(
    table: T,
    key: K,
    rows: readonly (Partial<NewRow<T>> & Pick<Tables[T], K>)[],
  ): Promise<void>;

  /** Removes all rows selected; resolves with their number. */
  remove(table: TableName, selection: Selection): Promise<number>;
}

/**
 * The rows of one node. Reads outside a unit see only what is committed. A second process on the same database is
 * refused when it is opened.
 */
export interface Database extends Reader {
  /**
   * Runs a unit and resolves with its result when it is on disk (`synchronous=FULL`). Units run one after the other,
   * each all or nothing; several may share a commit. A unit may run more than once, so it does nothing but read and
   * write through its own `database`. What it throws rolls back its own writes, nobody else's, and rejects.
   */
  transaction<R>(unit: (database: Unit) => Promise<R>): Promise<R>;

  /**
   * The rows of these keys as JSON texts, in the order of the keys; undefined where there is none. They are written
   * where they are stored: it takes a seventh of what a row takes that is read and written here.
   */
  texts<T extends TableName>(table: T, shape: Shape<T>, keys: Keys<T>): Promise<readonly (JsonText | undefined)[]>;

  /** Waits for the units that have begun, then releases everything. Later calls reject. */
  close(): Promise<void>;
}
