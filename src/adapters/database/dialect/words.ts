import type { Scalar } from '../../../wire/lists/query.js';
import type { Column } from '../statements/rows.js';
import type { Binding } from '../statements/statement.js';

/** The parts of conditions, orders and values that each engine writes in its own way. */
export interface Words {
  /** Compares a column with a list, which is one variable, however long it is. */
  listed(values: readonly Scalar[], bindings: Binding[]): string;

  /** Whether an element of a column with an array meets a condition, which is written for the element's name. */
  hasElement(column: string, meets: (element: string) => string): string;

  /** Whether a column with an array of texts has several elements, as the partial indexes of migrations write it. */
  hasSeveral(column: string): string;

  /** The JSON text of a column with an array or object. */
  written(column: string): string;

  /** Whether a text contains a bound one. */
  contains(text: string, value: string, bindings: Binding[]): string;

  /** Whether a text ends with a bound one, which is not empty. */
  endsWith(text: string, value: string, bindings: Binding[]): string;

  /** The part of a text behind its first space; the whole text if it has none. */
  behindSpace(text: string): string;

  /** The place of nulls in an order that does not say it. */
  nulls(isDescending: boolean): 'first' | 'last';

  /** The limit of a query, with a place where it is bound. */
  readonly limit: string;

  /** The stored form of a value of a column. */
  store(column: Column, value: unknown): Binding;

  /** Columns of ids, for an engine that keeps them in a form of its own. */
  readonly ids?: IdWords;

  /** Columns of times, likewise. */
  readonly times?: TimeWords;

  /**
   * The rows of a table, by its quoted name, between two sequences, whose places come first: a source for `from`, and
   * conditions. These rows alone are read, whatever other conditions and order there are.
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

  /** Conditions that find those ids with a prefix that are not kept as text; each can be served by an index. */
  startsWith(column: string, prefix: string, bindings: Binding[]): readonly string[];

  /** Whether one of these conditions is met, which is so for few rows. */
  oneOf(conditions: readonly string[]): string;
}

/** Conditions on a column of times. */
export interface TimeWords {
  /** The text of a column. */
  text(column: string): string;

  /** The stored form of a time, which has the order of the texts. */
  bind(time: string): string | number;
}
