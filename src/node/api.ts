import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import Router from '@koa/router';
import type { Context, Middleware } from 'koa';
import { type TSchema, Type } from '@sinclair/typebox';
import type { UploadForm } from '../pipeline/accept/upload.js';
import { ignoredFields } from '../pipeline/accept/upload-form.js';
import type { Clock } from '../ports/clock.js';
import { assertConforms } from '../wire/check.js';
import { ServiceError } from '../wire/error.js';
import { write } from '../wire/json.js';
import { lastOf, readRepeated } from '../wire/query.js';
import { absolutePaths, parametersOf, type ReadRoute, type Route } from '../wire/route.js';
import { refusedPosts, type RouteName, type Routes, routes } from '../wire/routes.js';
import type { Access } from './access.js';
import { answerBinary, type BinaryReply, type HttpRequest } from './binary.js';
import { printable, readBody, type ReadBody } from './body.js';
import { isConfirmed } from './confirm.js';
import { type Deadline, untilDeadline } from './deadline.js';
import type { HandledName, Handler, HandlerRequest, Handlers, Listed } from './handler.js';
import type { Reading, ReadRequest } from './read.js';

export interface ApiParts {
  readonly handlers: Handlers;
  /** Answers the rows that read a collection. */
  readonly reading: Reading;
  /** What the caller of a request may use. */
  readonly access: Access;
  /** Takes in the form of an upload, its file to disk. @throws ServiceError */
  readonly readForm: (request: IncomingMessage) => Promise<UploadForm>;
  readonly clock: Clock;
  /** Whether new writes are refused because the node is about to stop. */
  readonly isStopping: () => boolean;
}

/** A request whose path was found. */
type RouteContext = Context & { readonly params: Readonly<Record<string, string>> };

/** The API, built from the route table: each row under each of its paths, with and without the namespace (S §1.1). */
export function createApi(parts: ApiParts): Middleware {
  const routers = new Map<string, Router>();
  for (const name of Object.keys(routes).filter(isRouteName)) addRoute(routers, name, parts);
  for (const { path, refusal } of refusedPosts) addRefusal(routers, path, refusal, parts);
  const dispatchers = new Map([...routers].map(([shape, router]) => [shape, { router, dispatch: router.routes() }]));
  return async (ctx, next) => {
    ctx.path = oneSegmentADid(ctx.path);
    const found = dispatchers.get(shapeOf(ctx.path));
    if (found === undefined) return next();
    const { router, dispatch } = found;
    checkMethod(router, ctx);
    await dispatch(Object.assign(ctx, { params: {}, router }), next);
  };
}

/** The router of a path is tried row by row, so each has only what is alike. */
function routerFor(routers: Map<string, Router>, path: string): Router {
  const shape = shapeOf(path);
  assert(!shape.includes('{'), 'what a path names first is no parameter');
  const router = routers.get(shape) ?? new Router();
  routers.set(shape, router);
  return router;
}

/** How many segments a path has, and the first that names something: no row has a parameter there. */
function shapeOf(path: string): string {
  const segments = path.toLowerCase().split('/');
  if (segments.at(-1) === '') segments.pop();
  const isNamespaced = segments.length > 5 && segments[3] === 'namespaces';
  return `${segments.length} ${(isNamespaced ? segments[5] : segments[3]) ?? ''}`;
}

/** The slash inside a DID may be written plain: it is part of the name, not of the path (S §1.1). */
function oneSegmentADid(path: string): string {
  return path.replaceAll(/\/(did:[a-z]+:(?:org|node))\/(?=[^/])/g, '/$1%2F');
}

/** A known path with another method is told which methods it takes. @throws ServiceError method_not_allowed */
function checkMethod(router: Router, ctx: Context): void {
  const { path: layers, route } = router.match(ctx.path, ctx.method);
  if (route || layers.length === 0) return;
  const allowed = [...new Set(layers.flatMap(({ methods }) => methods))].join(', ');
  ctx.set('Allow', allowed);
  throw new ServiceError('method_not_allowed', { method: ctx.method, path: ctx.path, allowed });
}

function isRouteName(name: string): name is RouteName {
  return name in routes;
}

function addRoute(routers: Map<string, Router>, name: RouteName, parts: ApiParts): void {
  const row: Route = routes[name];
  const answer = createAnswer(row, workOf(name, row, parts), parts);
  for (const path of [row.path, ...(row.also ?? [])].flatMap(absolutePaths)) {
    const router = routerFor(routers, path);
    router[row.method](path.replaceAll(/\{(\w+)\}/g, ':$1'), answer);
  }
}

function addRefusal(
  routers: Map<string, Router>,
  path: string,
  refusal: (typeof refusedPosts)[number]['refusal'],
  { access }: ApiParts,
): void {
  for (const each of absolutePaths(path)) {
    const router = routerFor(routers, each);
    router.post(each.replaceAll(/\{(\w+)\}/g, ':$1'), (ctx: RouteContext) => {
      access.resolverFor(ctx.req)(ctx.params['ns']);
      throw new ServiceError(refusal);
    });
  }
}

/** What a row does with a request that has passed every general check. */
type Work = (request: UncheckedRequest) => Promise<unknown>;

function workOf(name: RouteName, route: Route, { handlers, reading }: ApiParts): Work {
  if (isRead(route)) return (request) => reading.answer(route, request);
  if (isHandled(name, handlers)) return handledWork(name, handlers);
  throw new Error(`The route ${name} has neither a collection nor a handler`);
}

function isRead(route: Route): route is ReadRoute {
  return route.from !== undefined;
}

function isHandled(name: RouteName, handlers: Handlers): name is HandledName {
  return name in handlers;
}

function handledWork<N extends HandledName>(name: N, handlers: Handlers): Work {
  const route: Routes[N] = routes[name];
  const handler: Handler<Routes[N]> = handlers[name];
  return async (request) => {
    assertRequestOf(route, request);
    return handler(request);
  };
}

function createAnswer(route: Route, work: Work, parts: ApiParts) {
  const known = parametersOf(route);
  return async (ctx: RouteContext) => {
    const { ns, ...params } = ctx.params;
    const namespace = namespaceOf(route, ns, parts.access, ctx.req);
    if (route.grant !== undefined) parts.access.requireGrant(ctx.req, route.grant);
    const filters = readRepeated(ctx.URL.searchParams, known);
    const query = lastOf(filters);
    if (route.method !== 'get' && parts.isStopping())
      throw new ServiceError('stopping', { what: 'The node is stopping' });
    const http = httpOf(ctx);
    const isForm = route.isUpload === true && typeof ctx.is('multipart/form-data') === 'string';
    const form = isForm ? await parts.readForm(ctx.req) : undefined;
    const left = new AbortController();
    // Every answer ends with it, and without a reason of ours each would make one, with its stack trace.
    ctx.res.once('close', () => left.abort('left'));
    const answer = async (deadline: Deadline): Promise<void> => {
      const { value, ignored } = form === undefined ? await bodyOf(ctx, route) : bodyOfForm(form);
      if (ignored.length > 0) ctx.set('X-Parley-Ignored', ignored.join(', '));
      const reply = await work({ namespace, params, query, filters, body: value, form, http, deadline });
      const status = route.status === 202 && isConfirmed(query) ? 200 : route.status;
      await answerWith(ctx, { ...route, status }, reply);
    };
    // A file takes as long as it takes; who is silent for too long is cut off.
    if (isForm) await answer({ signal: left.signal, waits: () => undefined });
    else await untilDeadline(parts.clock, { header: ctx.get('Request-Timeout'), left: left.signal }, answer);
  };
}

/** A row outside of all namespaces is asked in one that its caller may use. @throws ServiceError as the resolver */
function namespaceOf({ path }: Route, name: string | undefined, access: Access, request: IncomingMessage): string {
  const isOutside = path.startsWith('/') && !path.includes('{ns}');
  const [first] = isOutside ? access.visibleTo(request) : [];
  return first ?? access.resolverFor(request)(name);
}

interface UncheckedRequest extends ReadRequest {
  readonly body: unknown;
  readonly form: UploadForm | undefined;
  readonly http: HttpRequest;
  readonly deadline: Deadline;
}

/**
 * The path was matched against the row's own, so its parameters are there; the body is held against the row's schema.
 */
function assertRequestOf<R extends Route>(
  route: R,
  request: UncheckedRequest,
): asserts request is UncheckedRequest & HandlerRequest<R> {
  if (route.body !== undefined) assertConforms(route.body, request.body, 'the body');
}

async function bodyOf(ctx: RouteContext, { body }: Route): Promise<ReadBody> {
  return body === undefined ? { value: undefined, ignored: [] } : readBody(ctx.req, body);
}

/** A form has no body; its fields that mean nothing here are named as those of a body are. */
function bodyOfForm({ fields }: UploadForm): ReadBody {
  return { value: {}, ignored: printable(ignoredFields(fields)) };
}

function httpOf(ctx: RouteContext): HttpRequest {
  return { method: ctx.method, header: (name) => ctx.get(name), message: ctx.req };
}

async function answerWith(ctx: RouteContext, route: Route, reply: unknown): Promise<void> {
  if (isBinary(reply)) return answerBinary(ctx, reply);
  ctx.status = route.status;
  if (route.status === 204) return;
  ctx.type = 'application/json';
  ctx.body = isListed(reply) ? writeList(route.reply, reply) : write(route.reply, reply);
}

function isBinary(reply: unknown): reply is BinaryReply {
  return typeof reply === 'object' && reply !== null && 'sizeBytes' in reply && 'bytes' in reply;
}

/** What a body on this path may be: JSON, and on some a form. */
export function contentTypesOf(path: string): readonly string[] {
  return uploadPaths.some((pattern) => pattern.test(path))
    ? ['application/json', 'multipart/form-data']
    : ['application/json'];
}

const uploadPaths = Object.values<Route>(routes)
  .filter(({ isUpload }) => isUpload === true)
  .flatMap(({ path, also = [] }) => [path, ...also].flatMap(absolutePaths))
  .map((path) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`));

function isListed(reply: unknown): reply is Listed<unknown[]> {
  return typeof reply === 'object' && reply !== null && 'items' in reply && 'total' in reply;
}

function writeList(item: TSchema, { items, total }: Listed<unknown[]>): string {
  const text = write(Type.Array(item), items);
  return total === undefined ? text : `{"count":${items.length},"total":${total},"items":${text}}`;
}
