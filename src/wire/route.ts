import { type Static, type TSchema, Type } from '@sinclair/typebox';
import type { Fields } from './field.js';
import { type CollectionName, type FieldName, fieldsOf } from './fields.js';
import { pageParameters } from './query.js';

/**
 * The rights that a credential with namespaces may have beyond them: to what a node signs with the organisation's key
 * for a chain that all namespaces share.
 */
export const grants = ['invoke', 'deploy', 'tokens', 'identities'] as const;
export type Grant = (typeof grants)[number];

/**
 * What can be asked of a node, one row a route; its path is relative to the namespace and written once (architecture,
 * 7). Server, client, OpenAPI and the round-trip test are derived from the rows.
 */
export interface Route {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** Relative to the namespace, or absolute; `{name}` marks a parameter. */
  readonly path: string;
  /** Other paths for the same work. */
  readonly also?: readonly string[];
  /** One line for people. */
  readonly summary: string;
  /** Query parameters beside those of a list. */
  readonly query?: Readonly<Record<string, TSchema>>;
  readonly body?: TSchema;
  /** Of success. */
  readonly status: 200 | 201 | 202 | 204;
  readonly reply: TSchema;
  /** A list: the reply is an array of `reply`, or with `count` an object around it (S §2.2). */
  readonly isList?: true;
  /** It answers with bytes of any kind; then `reply` is what a client makes of them. */
  readonly isBinary?: true;
  /** It takes a multipart form as well. */
  readonly isUpload?: true;
  /** The collection that it reads: such a row has no handler. */
  readonly from?: CollectionName;
  /** Which of its records: field → parameter of the path. */
  readonly by?: Readonly<Record<string, string>>;
  /** The value that a field has in all of its records. */
  readonly only?: Readonly<Record<string, string>>;
  /** The collection whose filters a list takes that has a handler. */
  readonly like?: CollectionName;
  /** The right that a credential with namespaces needs for it. */
  readonly grant?: Grant;
  /** When a credential with namespaces needs a right for it, where that depends on the request. */
  readonly granted?: string;
}

/** A row that `node/read.ts` serves, without a handler. */
export type ReadRoute = Route & { readonly from: CollectionName };

/** A row that answers one record or object. */
export function get<const R extends Omit<Route, 'method' | 'path' | 'status' | 'isList'>, const P extends string>(
  path: P,
  row: R,
) {
  return { method: 'get', path, status: 200, ...row } as const;
}

/** A row that answers a page of records. */
export function list<const R extends Omit<Route, 'method' | 'path' | 'status' | 'isList'>, const P extends string>(
  path: P,
  row: R,
) {
  return { method: 'get', path, status: 200, isList: true, ...row } as const;
}

/** A row that takes in work. */
export function post<const R extends Omit<Route, 'method' | 'path' | 'isList'>, const P extends string>(
  path: P,
  row: R,
) {
  return { method: 'post', path, ...row } as const;
}

/** A row that creates something, or puts it in the place of what has its name. */
export function put<const R extends Omit<Route, 'method' | 'path' | 'isList'>, const P extends string>(
  path: P,
  row: R,
) {
  return { method: 'put', path, ...row } as const;
}

/** A row that changes a part of something. */
export function patch<const R extends Omit<Route, 'method' | 'path' | 'isList'>, const P extends string>(
  path: P,
  row: R,
) {
  return { method: 'patch', path, ...row } as const;
}

/** A row that removes something and has nothing to say. */
export function remove<const P extends string>(path: P, row: Pick<Route, 'summary' | 'also'>) {
  return { method: 'delete', path, status: 204, reply: Type.Null(), ...row } as const;
}

/** The names between braces in a path. */
export type PathParameters<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameters<Rest>
  : never;

/** What a route's body is in memory; `undefined` for routes without one. */
export type BodyOf<R extends Route> = R['body'] extends TSchema ? Static<R['body']> : undefined;
/** What a route answers with: a record, or an array of them. */
export type ReplyOf<R extends Route> = R extends { readonly isList: true } ? Static<R['reply']>[] : Static<R['reply']>;

/** What may be asked of a route beside its path, by parameter. */
export type QueryOf<R extends Route> = (R extends { readonly query: infer Q extends Readonly<Record<string, TSchema>> }
  ? { readonly [Name in keyof Q]?: Static<Q[Name]> }
  : unknown) &
  (R extends { readonly isList: true } ? ListControls : unknown) &
  (R extends { readonly isList: true } & ({ readonly from: infer C } | { readonly like: infer C })
    ? C extends CollectionName
      ? { readonly [Name in FieldName<C>]?: FilterValue | readonly FilterValue[] }
      : unknown
    : unknown);

/** The controls of a list but `count`, which changes the form of the answer. */
interface ListControls {
  readonly limit?: number;
  readonly skip?: number;
  readonly sort?: string | readonly string[];
  readonly ascending?: boolean;
  readonly descending?: boolean;
}
type FilterValue = string | number | boolean;

/** The fields by which a list can be filtered; of none for other rows. */
export function filtersOf({ isList, from, like }: Route): Fields {
  const collection = from ?? like;
  return isList === true && collection !== undefined ? fieldsOf(collection) : {};
}

/** Every query parameter that a route knows: its own, and of a list its controls and filters. */
export function parametersOf(route: Route): string[] {
  const controls = route.isList === true ? pageParameters : [];
  return [...new Set([...Object.keys(route.query ?? {}), ...controls, ...Object.keys(filtersOf(route))])];
}

/** The schema of a whole answer: of a record, or of an array of them. Always the same object for the same row. */
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
 * Both absolute forms of a path of a namespace: with the namespace in it, and for the default one (S §1.1). A path that
 * is absolute already stands for itself.
 */
export function absolutePaths(path: string): readonly string[] {
  return path.startsWith('/') ? [path] : [`/api/v1/namespaces/{ns}/${path}`, `/api/v1/${path}`];
}
