import { type Static, type TSchema, Type } from '@sinclair/typebox';
import type { Fields } from './lists/field.js';
import { type CollectionName, type FieldName, fieldsOf } from './lists/fields.js';
import { pageParameters } from './lists/query.js';

/**
 * Rights that a credential for some namespaces may have in addition: operations that a node signs with the
 * organisation's key, on the chain that all namespaces share.
 */
export const grants = ['invoke', 'deploy', 'tokens', 'identities'] as const;
export type Grant = (typeof grants)[number];

/** The right to have a node sign with one key of its wallet, given as an address. */
export function keyGrant(key: string): string {
  return `${keyGrantPrefix}${key.toLowerCase()}`;
}
export const keyGrantPrefix = 'key:';

/**
 * A route of the node's API, one row each; its path is relative to the namespace. Server, client, OpenAPI and the
 * round-trip test are derived from the rows.
 */
export interface Route {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** Relative to the namespace, or absolute; `{name}` marks a parameter. */
  readonly path: string;
  /** Aliases: other paths for the same route. */
  readonly also?: readonly string[];
  /** One line for the documentation. */
  readonly summary: string;
  /** Query parameters besides those of a list. */
  readonly query?: Readonly<Record<string, TSchema>>;
  readonly body?: TSchema;
  /** Status of a successful response. */
  readonly status: 200 | 201 | 202 | 204;
  readonly reply: TSchema;
  /** The status of success in a network with a profile, see `statusOf`. */
  readonly statusUnder?: Readonly<Record<'firefly', 201 | 202>>;
  /** Whether the reply is an array of `reply`, or with `count` an object that contains it (docs/api.md §8.2). */
  readonly isList?: true;
  /** Whether the response is arbitrary bytes; then `reply` is what a client returns for them. */
  readonly isBinary?: true;
  /** Whether a multipart form is accepted, too. */
  readonly isUpload?: true;
  /** The collection that the route reads; such a route has no handler. */
  readonly from?: CollectionName;
  /** Selects records: field → parameter of the path. */
  readonly by?: Readonly<Record<string, string>>;
  /** Restricts records to these field values. */
  readonly only?: Readonly<Record<string, string>>;
  /** The collection whose filters apply to a list that has a handler. */
  readonly like?: CollectionName;
  /** The collection that a write changes without an event of its own: clients that ask for changes are told. */
  readonly changes?: CollectionName;
  /** The right that a credential for some namespaces needs. */
  readonly grant?: Grant;
  /**
   * Whether the node signs with the key that the body names; a credential with namespaces then needs a right to that
   * key.
   */
  readonly signs?: true;
  /** Describes when a credential for some namespaces needs a right, if that depends on the request. */
  readonly granted?: string;
}

/** A route that `node/lists/read.ts` serves, without a handler. */
export type ReadRoute = Route & { readonly from: CollectionName };

/** Defines a route that returns one record or object. */
export function get<const R extends Omit<Route, 'method' | 'path' | 'status' | 'isList'>, const P extends string>(
  path: P,
  row: R,
) {
  return { method: 'get', path, status: 200, ...row } as const;
}

/** Defines a route that returns a page of records. */
export function list<const R extends Omit<Route, 'method' | 'path' | 'status' | 'isList'>, const P extends string>(
  path: P,
  row: R,
) {
  return { method: 'get', path, status: 200, isList: true, ...row } as const;
}

/** Defines a route that accepts work. */
export function post<const R extends Omit<Route, 'method' | 'path' | 'isList'>, const P extends string>(
  path: P,
  row: R,
) {
  return { method: 'post', path, ...row } as const;
}

/** Defines a route that creates a record, or replaces the one of that name. */
export function put<const R extends Omit<Route, 'method' | 'path' | 'isList'>, const P extends string>(
  path: P,
  row: R,
) {
  return { method: 'put', path, ...row } as const;
}

/** Defines a route that changes a part of a record. */
export function patch<const R extends Omit<Route, 'method' | 'path' | 'isList'>, const P extends string>(
  path: P,
  row: R,
) {
  return { method: 'patch', path, ...row } as const;
}

/** Defines a route that deletes a record and returns no content. */
export function remove<const P extends string>(path: P, row: Pick<Route, 'summary' | 'also' | 'changes'>) {
  return { method: 'delete', path, status: 204, reply: Type.Null(), ...row } as const;
}

/** The names of the parameters in a path. */
export type PathParameters<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameters<Rest>
  : never;

/** The type of a route's body in memory; `undefined` for routes without one. */
export type BodyOf<R extends Route> = R['body'] extends TSchema ? Static<R['body']> : undefined;
/** The type of a route's response: a record, or an array of them. */
export type ReplyOf<R extends Route> = R extends { readonly isList: true } ? Static<R['reply']>[] : Static<R['reply']>;

/** The type of a route's query parameters. */
export type QueryOf<R extends Route> = (R extends { readonly query: infer Q extends Readonly<Record<string, TSchema>> }
  ? { readonly [Name in keyof Q]?: Static<Q[Name]> }
  : unknown) &
  (R extends { readonly isList: true } ? ListControls : unknown) &
  (R extends { readonly isList: true } & ({ readonly from: infer C } | { readonly like: infer C })
    ? C extends CollectionName
      ? { readonly [Name in FieldName<C>]?: FilterValue | readonly FilterValue[] }
      : unknown
    : unknown);

/** The controls of a list except `count`, which changes the form of the response. */
interface ListControls {
  readonly limit?: number;
  readonly skip?: number;
  readonly sort?: string | readonly string[];
  readonly ascending?: boolean;
  readonly descending?: boolean;
}
type FilterValue = string | number | boolean;

/** The fields by which a list can be filtered; empty for other routes. */
export function filtersOf({ isList, from, like }: Route): Fields {
  const collection = from ?? like;
  return isList === true && collection !== undefined ? fieldsOf(collection) : {};
}

/** Every query parameter that a route knows: its own, and for a list its controls and filters. */
export function parametersOf(route: Route): string[] {
  const controls = route.isList === true ? pageParameters : [];
  return [...new Set([...Object.keys(route.query ?? {}), ...controls, ...Object.keys(filtersOf(route))])];
}

/** The status of success in a network with a profile. */
export function statusOf({ status, statusUnder }: Route, profile: 'firefly' | undefined): Route['status'] {
  return (profile && statusUnder?.[profile]) ?? status;
}

/** The schema of a whole response: a record, or an array of them. Returns the same object for the same row. */
export function replySchemaOf(route: Route): TSchema {
  if (route.isList !== true) return route.reply;
  let schema = pageSchemas.get(route.reply);
  if (schema === undefined) {
    schema = Type.Array(route.reply);
    pageSchemas.set(route.reply, schema);
  }
  return schema;
}

const pageSchemas = new WeakMap<TSchema, TSchema>();

/**
 * Both absolute forms of a path relative to a namespace: with the namespace, and for the default one (docs/api.md §1).
 * An absolute path is returned unchanged.
 */
export function absolutePaths(path: string): readonly string[] {
  return path.startsWith('/') ? [path] : [`/api/v1/namespaces/{ns}/${path}`, `/api/v1/${path}`];
}
