import type { Scalar } from '../../../wire/lists/query.js';
import type { Column } from '../statements/rows.js';
import type { Binding } from '../statements/statement.js';

/** The parts of conditions, orders and values that differ between engines. */
export interface Words {
  /** Compares a column with a list, which is one variable of any length. */
  listed(values: readonly Scalar[], bindings: Binding[]): string;

  /**
   * Whether an element of a column with an array meets a condition; `meets` writes the condition for the element's
   * name.
   */
  hasElement(column: string, meets: (element: string) => string): string;

  /**
   * Whether a column with an array of texts has several elements, in the same words as the partial indexes of
   * migrations.
   */
  hasSeveral(column: string): string;

  /** The JSON text of a column with an array or object. */
  written(column: string): string;

  /** Whether a text contains a bound text. */
  contains(text: string, value: string, bindings: Binding[]): string;

  /** Whether a text ends with a bound text, which is not empty. */
  endsWith(text: string, value: string, bindings: Binding[]): string;

  /** The part of a text after its first space; the whole text if it has none. */
  behindSpace(text: string): string;

  /** The position of nulls in an order that does not specify it. */
  nulls(isDescending: boolean): 'first' | 'last';

  /** The limit of a query, with a placeholder for its value. */
  readonly limit: string;

  /** The stored form of a value of a column. */
  store(column: Column, value: unknown): Binding;

  /** Columns of ids, for an engine that stores them in a form of its own. */
  readonly ids?: IdWords;

  /** Columns of times, for an engine that stores them in a form of its own. */
  readonly times?: TimeWords;

  /**
   * The rows of a table, by its quoted name, between two sequences, whose placeholders come first: a source for `from`,
   * and conditions. Only these rows are read, whatever the other conditions and the order.
   */
  slice(table: string): { readonly source: string; readonly where: readonly string[] };
}

/** Conditions on a column of ids. */
export interface IdWords {
  /** The text of a column. */
  text(column: string): string;

  /** The stored form of an id. */
  bind(id: string): Binding;

  /** Compares a column with a list, which is one variable. */
  listed(ids: readonly string[], bindings: Binding[]): string;

  /** Conditions that find the ids with a prefix, except those stored as text; an index can serve each. */
  startsWith(column: string, prefix: string, bindings: Binding[]): readonly string[];

  /** Whether one of these conditions is met, with a hint that few rows meet it. */
  oneOf(conditions: readonly string[]): string;
}

/** Conditions on a column of times. */
export interface TimeWords {
  /** The text of a column. */
  text(column: string): string;

  /** The stored form of a time, which has the order of the texts. */
  bind(time: string): string | number;
}
