import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import Router from '@koa/router';
import type { Context, Middleware } from 'koa';
import { type TSchema, Type } from '@sinclair/typebox';
import type { UploadForm } from '../pipeline/accept/data/upload.js';
import { ignoredFields } from '../pipeline/accept/data/upload-form.js';
import type { Clock } from '../ports/clock.js';
import { assertConforms } from '../wire/check.js';
import type { Profile } from '../domain/network/profile.js';
import { ServiceError } from '../wire/errors/error.js';
import { write } from '../wire/json/json.js';
import type { CollectionName } from '../wire/lists/fields.js';
import { lastOf, readRepeated } from '../wire/lists/query.js';
import { absolutePaths, parametersOf, type ReadRoute, type Route, statusOf } from '../wire/route.js';
import { refusedPosts, type RouteName, type Routes, routes } from '../wire/routes.js';
import { ignoredHeader, strictHeader } from '../wire/strict.js';
import type { Access } from './requests/access.js';
import { answerBinary, type BinaryReply, type HttpRequest } from './data/binary.js';
import { type BodyReader, ignoredText, type ReadBody } from './requests/body.js';
import { isConfirmed } from './messages/confirm.js';
import { type Deadline, untilDeadline } from './requests/deadline.js';
import type { HandledName, Handler, HandlerRequest, Handlers, Listed } from './requests/handler.js';
import type { Reading, ReadRequest } from './lists/read.js';

export interface ApiParts {
  readonly handlers: Handlers;
  /** Serves the rows that read a collection. */
  readonly reading: Reading;
  /** The rights of a request's caller. */
  readonly access: Access;
  /** Checks that the caller may sign as a request asks. @throws ServiceError forbidden */
  readonly requireSigners: (request: IncomingMessage, body: unknown, route: Pick<Route, 'signs'>) => Promise<void>;
  readonly profile?: Profile | undefined;
  /** Receives the form of an upload, with its file written to disk. @throws ServiceError */
  readonly readForm: (request: IncomingMessage) => Promise<UploadForm>;
  readonly readBody: BodyReader;
  readonly clock: Clock;
  /** Called when a request has changed a collection without an event. */
  readonly changed: (namespace: string, collection: CollectionName) => void;
  /** Whether new writes are refused because the node is stopping. */
  readonly isStopping: () => boolean;
}

/** A request whose path was matched. */
type RouteContext = Context & { readonly params: Readonly<Record<string, string>> };

/**
 * Creates the API from the route table: each row under each of its paths, with and without the namespace
 * (docs/api.md §1).
 */
export function createApi(parts: ApiParts): Middleware {
  const routers = new Map<string, Router>();
  for (const name of Object.keys(routes).filter(isRouteName)) addRoute(routers, name, parts);
  for (const { path, refusal } of refusedPosts) addRefusal(routers, path, refusal, parts);
  const dispatchers = new Map([...routers].map(([shape, router]) => [shape, { router, dispatch: router.routes() }]));
  return async (ctx, next) => {
    ctx.path = oneSegmentAName(ctx.path);
    const found = dispatchers.get(shapeOf(ctx.path));
    if (found === undefined) return next();
    const { router, dispatch } = found;
    checkMethod(router, ctx);
    await dispatch(Object.assign(ctx, { params: {}, router }), next);
  };
}

/** Routers try rows one by one, so each router holds only the rows of one path shape. */
function routerFor(routers: Map<string, Router>, path: string): Router {
  const shape = shapeOf(path);
  assert(!shape.includes('{'), 'what a path names first is no parameter');
  const router = routers.get(shape) ?? new Router();
  routers.set(shape, router);
  return router;
}

/** The shape of a path: its number of segments and the first distinctive segment, which is a parameter in no row. */
function shapeOf(path: string): string {
  const segments = path.toLowerCase().split('/');
  if (segments.at(-1) === '') segments.pop();
  const isNamespaced = segments.length > 5 && segments[3] === 'namespaces';
  return `${segments.length} ${(isNamespaced ? segments[5] : segments[3]) ?? ''}`;
}

const subPathsPattern = /^(\/api\/v1(?:\/namespaces\/[^/]+)?\/datasubpaths\/)(.+)$/i;

/**
 * Encodes unescaped slashes inside a DID or directory, which are part of the name, not separators of the path
 * (docs/api.md §1).
 */
function oneSegmentAName(path: string): string {
  return path
    .replaceAll(/\/(did(?::|%3a)[a-z]+(?::|%3a)(?:org|node))\/(?=[^/])/gi, '/$1%2F')
    .replace(subPathsPattern, (_, start: string, directory: string) => start + directory.replaceAll('/', '%2F'));
}

/** Refuses a wrong method on a known path, naming the allowed ones. @throws ServiceError method_not_allowed */
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

/** The work of a row for a request that has passed every general check. */
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
    const isStrict = ctx.get(strictHeader) === 'true';
    const { parameters: filters, ignored: unknown } = readRepeated(ctx.URL.searchParams, known, { isStrict });
    const query = lastOf(filters);
    if (route.method !== 'get' && parts.isStopping())
      throw new ServiceError('stopping', { what: 'The node is stopping' });
    const http = httpOf(ctx);
    const isForm = route.isUpload === true && typeof ctx.is('multipart/form-data') === 'string';
    const form = isForm ? await parts.readForm(ctx.req) : undefined;
    const left = new AbortController();
    // Every response ends with `close`; an explicit reason avoids the stack trace of a default one.
    ctx.res.once('close', () => left.abort('left'));
    const answer = async (deadline: Deadline): Promise<void> => {
      const { value, ignored } = form === undefined ? await bodyOf(ctx, route, parts) : bodyOfForm(form);
      const ignore = (more: readonly string[]) => nameIgnored(ctx, [...unknown, ...ignored, ...more]);
      ignore([]);
      await parts.requireSigners(ctx.req, value, route);
      const request = { namespace, params, query, filters, isStrict, ignore };
      const reply = await work({ ...request, body: value, form, http, deadline });
      if (route.changes !== undefined) parts.changed(namespace, route.changes);
      const status = route.status === 202 && isConfirmed(query) ? 200 : statusOf(route, parts.profile);
      await answerWith(ctx, { ...route, status }, reply);
    };
    // A file may take as long as it needs; a client that stalls is disconnected.
    if (isForm) await answer({ signal: left.signal, waits: () => undefined });
    else await untilDeadline(parts.clock, { header: ctx.get('Request-Timeout'), left: left.signal }, answer);
  };
}

function nameIgnored(ctx: RouteContext, names: readonly string[]): void {
  const text = ignoredText(names);
  if (text !== '') ctx.set(ignoredHeader, text);
}

/**
 * The namespace of a request. A row outside all namespaces uses one that its caller may see. @throws ServiceError as
 * the resolver
 */
function namespaceOf({ path }: Route, name: string | undefined, access: Access, request: IncomingMessage): string {
  const isOutside = path.startsWith('/') && !path.includes('{ns}');
  const [first] = isOutside ? access.visibleTo(request) : [];
  return first ?? access.resolverFor(request)(name);
}

interface UncheckedRequest extends ReadRequest {
  readonly isStrict: boolean;
  readonly ignore: (names: readonly string[]) => void;
  readonly body: unknown;
  readonly form: UploadForm | undefined;
  readonly http: HttpRequest;
  readonly deadline: Deadline;
}

/**
 * Narrows a request to the type of its row: the path was matched against the row's own, so its parameters are present;
 * the body is checked against the row's schema.
 */
function assertRequestOf<R extends Route>(
  route: R,
  request: UncheckedRequest,
): asserts request is UncheckedRequest & HandlerRequest<R> {
  if (route.body !== undefined) assertConforms(route.body, request.body, 'the body');
}

async function bodyOf(ctx: RouteContext, { body }: Route, { readBody }: ApiParts): Promise<ReadBody> {
  return body === undefined ? { value: undefined, ignored: [] } : readBody(ctx.req, body);
}

/** The body of a form is empty; its unknown fields are listed like those of a body. */
function bodyOfForm({ fields }: UploadForm): ReadBody {
  return { value: {}, ignored: ignoredFields(fields) };
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

/** The allowed content types of a path: JSON, and for uploads a form. */
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
