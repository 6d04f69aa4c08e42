import type { Static, TSchema } from '@sinclair/typebox';
import type { PathParameters, ReplyOf, Route } from '../wire/route.js';
import type { RouteName, Routes } from '../wire/routes.js';

/** A request that has passed every general check. */
export interface HandlerRequest<R extends Route> {
  /** One that this node has. */
  readonly namespace: string;
  readonly params: Readonly<Record<PathParameters<R['path']>, string>>;
  /** Known parameters only, by the names of the route table. */
  readonly query: ReadonlyMap<string, string>;
  readonly body: R extends { readonly body: infer B extends TSchema } ? Static<B> : undefined;
}

/** What a list answers with: its page, and the number of all matches when it was asked for. */
export interface Listed<Reply> {
  readonly items: Reply;
  readonly total: number | undefined;
}

export type HandlerReply<R extends Route> = R extends { readonly isList: true } ? Listed<ReplyOf<R>> : ReplyOf<R>;

export type Handler<R extends Route> = (request: HandlerRequest<R>) => Promise<HandlerReply<R>>;

/** One handler a route, neither more nor fewer. */
export type Handlers = { readonly [N in RouteName]: Handler<Routes[N]> };
