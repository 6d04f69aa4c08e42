import type { NewRow, TableName } from '../../../ports/tables/tables.js';
import type { KindFor } from './kind.js';

/**
 * The columns that `ports/tables/tables.ts` has for a table, each with its kind; a definition with others does not
 * compile.
 */
export interface Definition<T extends TableName> {
  readonly columns: { readonly [C in keyof NewRow<T>]: KindFor<NewRow<T>[C]> };
  readonly uniqueKeys: readonly (readonly (keyof NewRow<T> & string)[])[];
  readonly lookups: readonly (keyof NewRow<T> & string)[];
  /** Columns of long text, which SQLite stores compressed. PostgreSQL compresses long text itself. */
  readonly long?: readonly (keyof NewRow<T> & string)[];
}
