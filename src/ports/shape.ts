import type { TableName, Tables } from './tables.js';

/**
 * How a row is written as a JSON object: its members in this order, without whitespace. A member whose value is null is
 * left out, and so is an object whose first member is; the first member of a row always has a value.
 */
export type Shape<T extends TableName> = Readonly<Record<string, Source<T>>>;

/** Where the value of a member comes from. */
export type Source<T extends TableName> =
  | Column<T>
  | { readonly is: 'object'; readonly of: Shape<T> }
  /** An array, left out when it is empty. */
  | { readonly is: 'filled'; readonly column: Column<T> }
  /** An array of objects, and which texts of each. */
  | { readonly is: 'each'; readonly column: Column<T>; readonly members: readonly string[] }
  /** A text; of the rows whose column `where` is this word only what stands behind the first space. */
  | { readonly is: 'behindSpace'; readonly column: Column<T>; readonly where: Column<T>; readonly word: string };

type Column<T extends TableName> = keyof Tables[T] & string;

/** Rows by the values of a unique key, whose columns are texts. */
export interface Keys<T extends TableName> {
  readonly columns: readonly Column<T>[];
  readonly values: readonly (readonly string[])[];
}
