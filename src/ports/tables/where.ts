import type { FieldCondition, Scalar } from '../../wire/lists/query.js';
import type { TableName, Tables } from './tables.js';

/**
 * Selects the rows of a table by their columns: a row is selected if each named column has the given value, one of the
 * given values, no value (`null`), or a value that passes the given test. Values compare exactly, texts by code points,
 * times as texts; a row without a value in a column passes only the test `not`.
 *
 * Rows belong to namespaces, and one namespace must not see the rows of another. So `namespace` must be named too,
 * `every` for all of them, unless the other columns cannot select rows of another namespace (`Unscoped`, `ContentKey`).
 */
export type Where<T extends TableName> = Columns<T> & ([T] extends [Unscoped] ? unknown : Scope | ContentKey<T>);

/** Selects the rows of all namespaces, explicitly. */
export const every = Symbol('every namespace');

export type Column<T extends TableName> = keyof Tables[T] & string;

/** Values and tests of columns: a part of a selection. */
export type Columns<T extends TableName> = {
  readonly [C in Column<T>]?: Match<Tables[T][C]> | (C extends 'namespace' ? typeof every : never);
};

interface Scope {
  readonly namespace: Match<string> | typeof every;
}

/** Tables of the node or the network as a whole; their hashes, DIDs and keys mean the same in every namespace. */
type Unscoped =
  | 'blobs'
  | 'candidates'
  | 'claims'
  | 'cursors'
  | 'due'
  | 'identities'
  | 'judgements'
  | 'keys'
  | 'networks'
  | 'nextpins'
  | 'nonces'
  | 'payloads'
  | 'pins'
  | 'waits';

/** Columns that identify a row by its content or position: a caller with their values has seen the row. */
type ContentKey<T extends TableName> =
  | Named<T, 'sequence'>
  | (T extends 'messages' ? Named<T, 'id' | 'hash'> : never)
  | (T extends 'data' ? Named<T, 'id' | 'hash' | 'seal'> : never)
  | (T extends 'batches' ? Named<T, 'id' | 'hash' | 'signer'> : never);

type Named<T extends TableName, C extends Column<T>> = {
  readonly [K in C]: Tables[T][K] | readonly Tables[T][K][];
};

/** A condition on a column with values of type `V`. Lists and objects have no values to compare, only tests. */
export type Match<V> = MatchOf<NonNullable<V>> | (null extends V ? null : never);
type MatchOf<V> = Test<V> | ([V] extends [Scalar] ? V | readonly V[] : never);

/** A test of the values of a column. `V` is the type of the values that it can test. */
export type Test<V> = (Unnamed<FieldCondition> | Combined) & { readonly [tests]?: V };

declare const tests: unique symbol;
type Unnamed<C> = C extends unknown ? Omit<C, 'field'> : never;
type Combined =
  | { readonly is: 'both'; readonly of: readonly Test<unknown>[] }
  | { readonly is: 'not'; readonly of: Scalar | readonly Scalar[] };

type Ordered = string | number;

/** Tests whether a value is greater. */
export function above<V extends Ordered>(value: V): Test<V> {
  return { is: 'above', value };
}

/** Tests whether a value is greater or equal. */
export function atLeast<V extends Ordered>(value: V): Test<V> {
  return { is: 'atLeast', value };
}

/** Tests whether a value is less. */
export function below<V extends Ordered>(value: V): Test<V> {
  return { is: 'below', value };
}

/** Tests whether a value is less or equal. */
export function atMost<V extends Ordered>(value: V): Test<V> {
  return { is: 'atMost', value };
}

/** Tests whether there is a value. */
export const present: Test<never> = { is: 'notNull' };

/** Tests whether there is none of these values; a row without a value passes. */
export function not<V extends Scalar>(values: V | readonly V[]): Test<V> {
  return { is: 'not', of: values };
}

/** Combines two tests that must both be passed. */
export function both<V>(one: Test<V>, other: Test<V>): Test<V> {
  return { is: 'both', of: [one, other] };
}

/** Tests whether a text begins with another. */
export function startingWith(value: string): Test<string> {
  return { is: 'startsWith', value };
}

/** Tests whether a list of texts has an element. */
export function having(value: string): Test<readonly string[]> {
  return { is: 'has', of: { field: 'value', is: 'equal', value } };
}

/** Tests whether the JSON text of a list or an object contains all these texts. */
export function mentioning(...values: readonly string[]): Test<never> {
  return {
    is: 'written',
    of: { is: 'all', of: values.map((value) => ({ field: 'value', is: 'contains', value }) as const) },
  };
}
