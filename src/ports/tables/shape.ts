import type { TableName, Tables } from './tables.js';

/**
 * Describes how a row is written as a JSON object: members in this order, without whitespace. A member whose value is
 * null is left out, as is an object whose first member is null; the first member of a row always has a value.
 */
export type Shape<T extends TableName> = Readonly<Record<string, Source<T>>>;

/** The source of a member's value. */
export type Source<T extends TableName> =
  | Column<T>
  | { readonly is: 'object'; readonly of: Shape<T> }
  /** An array, left out if it is empty. */
  | { readonly is: 'filled'; readonly column: Column<T> }
  /** An array of objects, with the named text members of each. */
  | { readonly is: 'each'; readonly column: Column<T>; readonly members: readonly string[] }
  /** A text; for rows whose column `where` equals `word`, only the part after the first space. */
  | { readonly is: 'behindSpace'; readonly column: Column<T>; readonly where: Column<T>; readonly word: string };

type Column<T extends TableName> = keyof Tables[T] & string;

/** Selects rows by the values of a unique key, whose columns are texts. */
export interface Keys<T extends TableName> {
  readonly columns: readonly Column<T>[];
  readonly values: readonly (readonly string[])[];
}
