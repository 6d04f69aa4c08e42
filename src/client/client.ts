import { readErrorBody } from '../wire/errors/error-body.js';
import { write } from '../wire/json/json.js';
import { read } from '../wire/json/json-reader.js';
import {
  type BodyOf,
  type PathParameters,
  type QueryOf,
  replySchemaOf,
  type ReplyOf,
  type Route,
} from '../wire/route.js';
import { type RouteName, type Routes, routes } from '../wire/routes.js';
import { strictHeader } from '../wire/strict.js';
import { ClientError, requestLine, UnreachableError } from './errors.js';
import { fetchTransport, type Transport, type TransportResponse } from './transport.js';

export interface ClientOptions {
  /** The node's address, such as `http://127.0.0.1:16010`; a trailing slash is ignored. */
  readonly url: string;
  /** Default: over the platform's `fetch`. */
  readonly transport?: Transport;
  /** Default: `default`. */
  readonly namespace?: string;
  /** Sent with every request, such as the node's credential. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A successful response of one route. */
export interface Answer<Value> {
  readonly status: number;
  /** The body as served, byte for byte. */
  readonly text: string;
  /** The body parsed by the route's schema; members that may be any JSON are `JsonText`. */
  readonly value: Value;
}

/** Any response, including refusals. */
export interface RawAnswer {
  readonly status: number;
  readonly text: string;
  /** The body as bytes, since a blob may not be text. */
  readonly bytes: Uint8Array;
  /** Values by name in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  /** Method and path of the request. */
  readonly request: string;
}

/** A successful response whose body has not been read yet, such as a blob of any size. */
export interface OpenAnswer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  /** Throws UnreachableError if the response is cut short, or the signal's reason. */
  readonly body: AsyncIterable<Uint8Array>;
}

export interface RawRequest {
  readonly method: string;
  /** Absolute if it begins with `/`, otherwise relative to the namespace; may include a query. */
  readonly path: string;
  /** A text is sent unchanged, as JSON; a stream with the content type in `headers`. */
  readonly body?: string | AsyncIterable<Uint8Array> | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

type PathOf<R extends Route> = [PathParameters<R['path']>] extends [never]
  ? unknown
  : { readonly path: { readonly [Name in PathParameters<R['path']>]: string } };
type BodyPart<R extends Route> = BodyOf<R> extends undefined ? unknown : { readonly body: BodyOf<R> };
/** The arguments of one call: path parameters, query, body. */
export type CallOf<R extends Route> = PathOf<R> &
  BodyPart<R> & { readonly query?: QueryOf<R>; readonly signal?: AbortSignal | undefined };
type Arguments<R extends Route> = object extends CallOf<R> ? [call?: CallOf<R>] : [call: CallOf<R>];

/** One method per row of the route table, and `exchange` for anything else. */
export type Client = {
  readonly [Name in RouteName]: (...call: Arguments<Routes[Name]>) => Promise<Answer<ReplyOf<Routes[Name]>>>;
} & {
  readonly url: string;
  readonly namespace: string;
  /** Makes one request and returns any response. @throws UnreachableError, or the signal's reason */
  exchange(request: RawRequest): Promise<RawAnswer>;
  /** As `exchange`, for a body that is read as a stream. @throws ClientError, UnreachableError, the signal's reason */
  open(request: RawRequest): Promise<OpenAnswer>;
  /** The full address of a path of `exchange`. */
  address(path: string): string;
};

type QueryValue = string | number | boolean | undefined;

interface AnyCall {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, QueryValue | readonly QueryValue[]>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

/**
 * Creates a typed client of one node and namespace, derived from the route table. Every method returns the response as
 * text and parsed by the schema.
 *
 * Methods throw `ClientError` for a status that is not 2xx, `UnreachableError` if there was no response, or the
 * signal's reason.
 */
export function createClient(options: ClientOptions): Client {
  const url = options.url.replace(/\/+$/, '');
  const namespace = options.namespace ?? 'default';
  const send = withHeaders(options.transport ?? fetchTransport(), options.headers);
  const address = (path: string) =>
    path.startsWith('/') ? url + path : `${url}/api/v1/namespaces/${encodeURIComponent(namespace)}/${path}`;
  const exchange = async (request: RawRequest) => {
    const answer = await exchangeOnce(send, address(request.path), request);
    if (!/^subscriptions(?=[/?]|$)/.test(request.path) || !isUnknownPath(answer)) return answer;
    // Subscriptions have a second path, without /api/v1 (docs/api.md §1); a node may serve only one of the two.
    return exchangeOnce(send, `${url}/namespaces/${encodeURIComponent(namespace)}/${request.path}`, request);
  };
  const open = (request: RawRequest) => openOnce(send, address(request.path), request);
  const methods = Object.entries<Route>(routes).map(([name, route]) => [
    name,
    (call: AnyCall = {}) => callRoute(exchange, route, call),
  ]);
  // The mapped type above describes for each row what `callRoute` does with every row; the compiler cannot see that.
  return { ...Object.fromEntries(methods), url, namespace, exchange, open, address } as Client;
}

function withHeaders(send: Transport, headers: ClientOptions['headers']): Transport {
  return headers === undefined ? send : (request) => send({ ...request, headers: { ...headers, ...request.headers } });
}

async function callRoute(
  exchange: (request: RawRequest) => Promise<RawAnswer>,
  route: Route,
  call: AnyCall,
): Promise<Answer<unknown>> {
  const answer = await exchange({
    method: route.method.toUpperCase(),
    path: fillPath(route.path, call.path ?? {}) + queryText(call.query ?? {}),
    body: route.body === undefined ? undefined : write(route.body, call.body),
    signal: call.signal,
  });
  if (!isSuccess(answer.status)) throw refusal(answer);
  return { status: answer.status, text: answer.text, value: valueOf(route, answer.text) };
}

/** Binary content is returned as text here; use `open` for content that is large or not text. */
function valueOf(route: Route, text: string): unknown {
  if (route.status === 204) return null;
  return route.isBinary === true ? text : read(text, replySchemaOf(route)).value;
}

const decoder = new TextDecoder();

async function exchangeOnce(send: Transport, address: string, request: RawRequest): Promise<RawAnswer> {
  try {
    const response = await ask(send, address, request);
    const bytes = await response.bytes();
    const { status, headers } = response;
    return { status, text: decoder.decode(bytes), bytes, headers, request: requestLine(request.method, address) };
  } catch (cause) {
    request.signal?.throwIfAborted();
    throw new UnreachableError(address, cause, request.method);
  }
}

async function openOnce(send: Transport, address: string, request: RawRequest): Promise<OpenAnswer> {
  try {
    const response = await ask(send, address, request);
    const { status, headers } = response;
    if (isSuccess(status)) return { status, headers, body: completeOf(response.body, address, request) };
    const text = decoder.decode(await response.bytes());
    throw refusal({ status, text, request: requestLine(request.method, address) });
  } catch (cause) {
    request.signal?.throwIfAborted();
    throw cause instanceof ClientError ? cause : new UnreachableError(address, cause, request.method);
  }
}

async function* completeOf(
  body: AsyncIterable<Uint8Array>,
  address: string,
  { method, signal }: RawRequest,
): AsyncGenerator<Uint8Array> {
  const chunks = body[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await chunks.next().catch((cause: unknown) => {
        signal?.throwIfAborted();
        throw new UnreachableError(address, cause, method);
      });
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    await chunks.return?.();
  }
}

/** Whether a response says that the node does not serve the path, and not that it lacks the record. */
function isUnknownPath({ status, text, request }: RawAnswer): boolean {
  if (status !== 404) return false;
  const refused = readErrorBody(text);
  const [line = ''] = request.split('?');
  return refused?.code === undefined || refused.text.includes(line);
}

function isSuccess(status: number): boolean {
  return status >= 200 && status <= 299;
}

function ask(send: Transport, url: string, { method, body, headers, signal }: RawRequest): Promise<TransportResponse> {
  const type = typeof body === 'string' ? { 'content-type': 'application/json' } : {};
  return send({ url, method, headers: { [strictHeader]: 'true', ...type, ...headers }, body, signal });
}

/** Converts an error response to an error, with the node's own message if it has one. */
export function refusal(answer: {
  readonly status: number;
  readonly text: string;
  readonly request?: string;
}): ClientError {
  const error = readErrorBody(answer.text);
  const text = error?.text ?? `the response has status ${answer.status} and no error message of a node`;
  const { status, request } = answer;
  return new ClientError({ status, code: error?.code, text, body: answer.text, request });
}

function fillPath(path: string, values: Readonly<Record<string, string>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
}

function queryText(query: NonNullable<AnyCall['query']>): string {
  const parameters = new URLSearchParams();
  for (const [name, values] of Object.entries(query)) {
    for (const value of [values].flat()) if (value !== undefined) parameters.append(name, String(value));
  }
  return parameters.size === 0 ? '' : `?${parameters.toString()}`;
}
