import { readErrorBody } from '../wire/error-body.js';
import { write } from '../wire/json.js';
import { read } from '../wire/json-reader.js';
import {
  type BodyOf,
  type PathParameters,
  type QueryOf,
  replySchemaOf,
  type ReplyOf,
  type Route,
} from '../wire/route.js';
import { type RouteName, type Routes, routes } from '../wire/routes.js';
import { ClientError, requestLine, UnreachableError } from './errors.js';

export interface ClientOptions {
  /** Where the node is, such as `http://127.0.0.1:16010`; a slash at the end means nothing. */
  readonly url: string;
  /** Default: the platform's. */
  readonly fetch?: typeof fetch;
  /** Default: `default`. */
  readonly namespace?: string;
  /** Sent with every request, such as the credential that the node asks for. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A success of one route. */
export interface Answer<Value> {
  readonly status: number;
  /** The body as served, byte for byte. */
  readonly text: string;
  /** The body read along the route's schema; members that may be any JSON are `JsonText`. */
  readonly value: Value;
}

/** Any answer, also a refusal. */
export interface RawAnswer {
  readonly status: number;
  readonly text: string;
  /** What `text` is made of; a blob is no text. */
  readonly bytes: Uint8Array;
  readonly headers: Headers;
  /** Method and path of what was asked. */
  readonly request: string;
}

/** A success whose body is still to be read: a blob, of any size. */
export interface OpenAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: ReadableStream<Uint8Array>;
}

export interface RawRequest {
  readonly method: string;
  /** Absolute when it begins with `/`, else below the namespace; may carry a query. */
  readonly path: string;
  /** A text is sent as it is, as JSON; a stream with the content type that `headers` names; a form says its own. */
  readonly body?: string | FormData | ReadableStream<Uint8Array> | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

type PathOf<R extends Route> = [PathParameters<R['path']>] extends [never]
  ? unknown
  : { readonly path: { readonly [Name in PathParameters<R['path']>]: string } };
type BodyPart<R extends Route> = BodyOf<R> extends undefined ? unknown : { readonly body: BodyOf<R> };
/** What one call needs: path parameters, query, body. */
export type CallOf<R extends Route> = PathOf<R> &
  BodyPart<R> & { readonly query?: QueryOf<R>; readonly signal?: AbortSignal | undefined };
type Arguments<R extends Route> = object extends CallOf<R> ? [call?: CallOf<R>] : [call: CallOf<R>];

/** One method per row of the route table, and `exchange` for anything else. */
export type Client = {
  readonly [Name in RouteName]: (...call: Arguments<Routes[Name]>) => Promise<Answer<ReplyOf<Routes[Name]>>>;
} & {
  readonly url: string;
  readonly namespace: string;
  /** One request, whatever comes back. @throws UnreachableError, or the signal's reason */
  exchange(request: RawRequest): Promise<RawAnswer>;
  /** The same for a body that is read bit by bit. @throws ClientError; UnreachableError, or the signal's reason */
  open(request: RawRequest): Promise<OpenAnswer>;
  /** The full address of a path as `exchange` takes it. */
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
 * A typed client of one node and namespace, derived from the route table (architecture, 7). Every method answers what
 * the node served, as text and read along the schema.
 *
 * Methods throw `ClientError` for an answer that is not 2xx, `UnreachableError` when none came, or the signal's
 * reason.
 */
export function createClient(options: ClientOptions): Client {
  const url = options.url.replace(/\/+$/, '');
  const namespace = options.namespace ?? 'default';
  const send = withHeaders(options.fetch ?? fetch, options.headers);
  const address = (path: string) =>
    path.startsWith('/') ? url + path : `${url}/api/v1/namespaces/${encodeURIComponent(namespace)}/${path}`;
  const exchange = async (request: RawRequest) => {
    const answer = await exchangeOnce(send, address(request.path), request);
    if (answer.status !== 404 || !/^subscriptions(?=[/?]|$)/.test(request.path)) return answer;
    // The interface does not say whether subscriptions are below /api/v1 (cli.md, 9.3).
    return exchangeOnce(send, `${url}/namespaces/${encodeURIComponent(namespace)}/${request.path}`, request);
  };
  const open = (request: RawRequest) => openOnce(send, address(request.path), request);
  const methods = Object.entries<Route>(routes).map(([name, route]) => [
    name,
    (call: AnyCall = {}) => callRoute(exchange, route, call),
  ]);
  // The mapped type above says of each row what `callRoute` does with every row; the compiler cannot see it.
  return { ...Object.fromEntries(methods), url, namespace, exchange, open, address } as Client;
}

function withHeaders(send: typeof fetch, headers: ClientOptions['headers']): typeof fetch {
  if (headers === undefined) return send;
  return (input, init) => send(input, { ...init, headers: { ...headers, ...plainHeaders(init?.headers) } });
}

/** Our own requests have their headers in an object. */
function plainHeaders(headers: RequestInit['headers']): Record<string, string> {
  return Object.fromEntries(new Headers(headers));
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
  if (answer.status < 200 || answer.status > 299) throw refusal(answer);
  return { status: answer.status, text: answer.text, value: valueOf(route, answer.text) };
}

/** Bytes of any kind are their text here: for what may be large or no text there is `open`. */
function valueOf(route: Route, text: string): unknown {
  if (route.status === 204) return null;
  return route.isBinary === true ? text : read(text, replySchemaOf(route)).value;
}

const decoder = new TextDecoder();

async function exchangeOnce(send: typeof fetch, address: string, request: RawRequest): Promise<RawAnswer> {
  try {
    const response = await ask(send, address, request);
    const bytes = new Uint8Array(await response.arrayBuffer());
    const { status, headers } = response;
    return { status, text: decoder.decode(bytes), bytes, headers, request: requestLine(request.method, address) };
  } catch (cause) {
    request.signal?.throwIfAborted();
    throw new UnreachableError(address, cause, request.method);
  }
}

async function openOnce(send: typeof fetch, address: string, request: RawRequest): Promise<OpenAnswer> {
  try {
    const response = await ask(send, address, request);
    const { status, headers } = response;
    if (response.ok) return { status, headers, body: response.body ?? new Blob([]).stream() };
    throw refusal({ status, text: await response.text(), request: requestLine(request.method, address) });
  } catch (cause) {
    request.signal?.throwIfAborted();
    throw cause instanceof ClientError ? cause : new UnreachableError(address, cause, request.method);
  }
}

/**
 * A platform keeps a copy of a body for a request that it may have to repeat; of a stream that copy is the whole file,
 * in memory. By the rules of fetch there is none where no redirect is followed and no window could ask for credentials.
 */
const streamed = { duplex: 'half', redirect: 'error', window: null } as const;

function ask(send: typeof fetch, address: string, { method, body, headers, signal }: RawRequest): Promise<Response> {
  return send(address, {
    method,
    headers: { ...(typeof body === 'string' ? { 'content-type': 'application/json' } : {}), ...headers },
    ...(body === undefined ? {} : { body }),
    ...(body instanceof ReadableStream ? streamed : {}),
    ...(signal === undefined ? {} : { signal }),
  });
}

/** The error that an answer stands for, in the node's own words where it has any. */
export function refusal(answer: {
  readonly status: number;
  readonly text: string;
  readonly request?: string;
}): ClientError {
  const said = readErrorBody(answer.text);
  const text = said?.text ?? `the answer has status ${answer.status} and no error that a node would send`;
  const { status, request } = answer;
  return new ClientError({ status, code: said?.code, text, body: answer.text, request });
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
