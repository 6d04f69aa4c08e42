import type { Static, TSchema } from '@sinclair/typebox';
import type { UploadForm } from '../../pipeline/accept/data/upload.js';
import type { PathParameters, ReadRoute, ReplyOf, Route } from '../../wire/route.js';
import type { Routes } from '../../wire/routes.js';
import type { BinaryReply, HttpRequest } from '../data/binary.js';
import type { Deadline } from './deadline.js';

/** A request that has passed every general check. */
export interface HandlerRequest<R extends Route> {
  /** A namespace of this node. */
  readonly namespace: string;
  readonly params: Readonly<Record<Exclude<PathParameters<R['path']>, 'ns'>, string>>;
  /** Known parameters only, by the names of the route table. */
  readonly query: ReadonlyMap<string, string>;
  /** All values of each query parameter, for filters. */
  readonly filters: ReadonlyMap<string, readonly string[]>;
  /** Whether the caller wants errors instead of ignored input (`wire/strict.ts`). */
  readonly isStrict: boolean;
  /** Adds names to the response header that lists ignored members of the body. */
  readonly ignore: (names: readonly string[]) => void;
  /** The form of an upload, if it came instead of a JSON body. */
  readonly form: UploadForm | undefined;
  readonly http: HttpRequest;
  readonly deadline: Deadline;
  readonly body: R extends { readonly body: infer B extends TSchema } ? Static<B> : undefined;
}

/** The result of a list: its page, and the number of all matches if it was requested. */
export interface Listed<Reply> {
  readonly items: Reply;
  readonly total: number | undefined;
}

export type HandlerReply<R extends Route> = R extends { readonly isBinary: true }
  ? BinaryReply
  : R extends { readonly isList: true }
    ? Listed<ReplyOf<R>>
    : ReplyOf<R>;

export type Handler<R extends Route> = (request: HandlerRequest<R>) => Promise<HandlerReply<R>>;

/** Exactly one handler for each route with code. */
export type Handlers = { readonly [N in HandledName]: Handler<Routes[N]> };

/** The routes that have code. */
export type HandledName = keyof HandlersOf<Routes>;

/** The handlers of some rows; rows that read a collection have none. */
export type HandlersOf<Rows extends Readonly<Record<string, Route>>> = {
  readonly [N in keyof Rows as Rows[N] extends ReadRoute ? never : N]: Handler<Rows[N]>;
};
