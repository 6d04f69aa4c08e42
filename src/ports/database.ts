import type { Query } from '../wire/lists/query.js';
import type { JsonText } from '../wire/scalar.js';
import type { Shape } from './tables/shape.js';
import type { NewRow, TableName, Tables } from './tables/tables.js';
import type { Column, every, Where } from './tables/where.js';

/** A query as a user may write it, for one namespace or all. */
export interface ListQuery extends Query {
  readonly namespace: string | typeof every;
}

/** An insert violated a unique key. */
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

/** The order of rows, and the maximum number to read. */
export interface RowsOptions<T extends TableName> {
  readonly limit: number;
  /** The column to sort by before the sequence. */
  readonly by?: Column<T>;
  /** Reverses the order, which is oldest first. */
  readonly newestFirst?: boolean;
}

export interface Reader {
  /** The first selected row: the oldest, or the lowest in the column `by`. */
  first<T extends TableName>(table: T, where: Where<T>, by?: Column<T>): Promise<Tables[T] | undefined>;

  /** The last selected row: the newest, or the highest in the column `by`. */
  last<T extends TableName>(table: T, where: Where<T>, by?: Column<T>): Promise<Tables[T] | undefined>;

  /** The selected rows, oldest first. Lists and objects are returned equal, not identical, to what was stored. */
  rows<T extends TableName>(table: T, where: Where<T>, options: RowsOptions<T>): Promise<readonly Tables[T][]>;

  /** The values of one column of the selected rows, oldest first, without reading the other columns. */
  values<T extends TableName, C extends Column<T>>(
    table: T,
    column: C,
    where: Where<T>,
    options: Pick<RowsOptions<T>, 'limit'>,
  ): Promise<readonly Tables[T][C][]>;

  /** Whether a row is selected. */
  has<T extends TableName>(table: T, where: Where<T>): Promise<boolean>;

  /** The number of selected rows. */
  count<T extends TableName>(table: T, where: Where<T>): Promise<number>;

  /** The rows that match one of these keys in all columns of a unique key, in no order. */
  exact<T extends TableName, C extends Column<T>>(
    table: T,
    key: readonly C[],
    rows: readonly Pick<Tables[T], C>[],
  ): Promise<readonly Tables[T][]>;
}

/** The database inside one transaction. It sees its own writes and those of earlier units, none of later units. */
export interface Unit extends Reader {
  /**
   * Inserts rows, in order. A duplicate key rejects the whole unit with `ConflictError`, at the latest at its end; a
   * unit must not catch it. Sequences rise and are unique, even among deleted rows. A number that no row received,
   * because its unit failed or `put` kept an existing row, may be assigned after the database is opened again: nobody
   * has seen it.
   */
  insert<T extends TableName>(table: T, rows: readonly NewRow<T>[]): Promise<void>;

  /** Inserts the rows whose unique keys are free and leaves existing rows as they are. */
  put<T extends TableName>(table: T, rows: readonly NewRow<T>[]): Promise<void>;

  /** Changes columns of all selected rows; resolves with their number. */
  update<T extends TableName>(table: T, where: Where<T>, changes: Partial<NewRow<T>>): Promise<number>;

  /**
   * Changes columns of single rows, each with its own values, found by `key`: the sequence, or a column that alone is a
   * unique key. All changes have the same columns, none of them part of a unique key. A missing row is skipped; of two
   * changes of one row the later counts. Much cheaper than `update`, as it returns no number, if the unit does not read
   * the table afterwards.
   */
  updateEach<T extends TableName, K extends keyof Tables[T] & string>(
    table: T,
    key: K,
    rows: readonly (Partial<NewRow<T>> & Pick<Tables[T], K>)[],
  ): Promise<void>;

  /** Deletes all selected rows; resolves with their number. */
  remove<T extends TableName>(table: T, where: Where<T>): Promise<number>;
}

/** How a unit shares the disk with other waiting units. */
export interface UnitOptions {
  /**
   * Whether it is part of bulk work: other waiting units go first, in a commit of their own, and while there is bulk
   * work, every second commit is for one part of it.
   */
  readonly isBulk?: boolean;
}

/**
 * Reads with any filter and order, for lists that callers request. Such a read may examine every row of a table, but it
 * delays no other reader. Rows that change meanwhile are seen as before or after. It ends with the reason of `signal`
 * when nobody waits for it any more.
 */
export interface Lists {
  /**
   * Returns rows in the requested order. Conditions compare exactly, text by code points, times as text; a missing
   * value meets only `null` and `not`. A field that the table does not have is an assertion failure. Fields with arrays
   * or objects can be matched by absence, elements or text, but not sorted by.
   */
  find<T extends TableName>(table: T, query: ListQuery, signal?: AbortSignal): Promise<readonly Tables[T][]>;

  /** The number of matching rows. */
  count(table: TableName, selection: Pick<ListQuery, 'namespace' | 'where'>, signal?: AbortSignal): Promise<number>;
}

/**
 * The rows of one node. Reads outside a unit see only committed data. Opening the database fails while another process
 * has it open.
 */
export interface Database extends Reader {
  /**
   * Runs a unit and resolves with its result once it is on disk (`synchronous=FULL`). Units run one after the other,
   * each all or nothing; several may share a commit. A unit may run more than once, so it must only read and write
   * through its own `database`. An exception rolls back its own writes, no others, and rejects.
   */
  transaction<R>(unit: (database: Unit) => Promise<R>, options?: UnitOptions): Promise<R>;

  /**
   * Returns rows, named by the columns of a unique key, as JSON texts in the same order; undefined for missing rows.
   * The database itself writes the text, which takes a seventh of the time of reading a row and writing it here.
   */
  texts<T extends TableName, C extends Column<T>>(
    table: T,
    shape: Shape<T>,
    key: readonly C[],
    rows: readonly Pick<Tables[T], C>[],
  ): Promise<readonly (JsonText | undefined)[]>;

  readonly lists: Lists;

  /** Waits for the running units, then releases all resources. Later calls reject. */
  close(): Promise<void>;
}
