import type { ListQuery } from '../../../ports/database.js';
import type { Keys, Shape } from '../../../ports/tables/shape.js';
import type { TableName, Tables } from '../../../ports/tables/tables.js';
import type { JsonText } from '../../../wire/scalar.js';
import type { Queries, Slice } from '../statements/query.js';
import type { Column } from '../statements/rows.js';
import type { Statement } from '../statements/statement.js';
import type { Write } from '../units/write.js';

/** The SQL of an engine: a statement for each call of the port, and the conversion of its answer to rows. */
export interface Dialect extends Queries {
  readonly engine: 'sqlite' | 'postgres';

  /** Converts a statement of a migration; undefined if it does not apply to this engine. */
  definition(statement: string): string | undefined;

  /** Begins a transaction that will write. */
  readonly begin: Statement;

  /** Returns the statement that reads the rows of a query, or only those of a slice. */
  find(table: TableName, query: ListQuery, slice?: Slice): Statement;

  /** Returns the statement that reads the rows with these values in a unique key. */
  exact<T extends TableName>(table: T, keys: Keys<T>): Statement;

  /** Converts the answer of `find` or `exact` to rows of the port. */
  found<T extends TableName>(table: T, answer: readonly Record<string, unknown>[]): readonly Tables[T][];

  /** Converts a cell of a column to its value. */
  value(column: Column, cell: unknown): unknown;

  /** Returns the statement that reads rows as texts, and the function that converts its answer. */
  texts<T extends TableName>(table: T, shape: Shape<T>, keys: Keys<T>): TextsQuery;

  /** The statements for one write outside a pack. */
  writes(write: Write): readonly Statement[];
}

export interface TextsQuery {
  readonly statement: Statement;
  readonly read: (answer: readonly Record<string, unknown>[]) => readonly (JsonText | undefined)[];
}
