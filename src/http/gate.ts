import type { IncomingMessage } from 'node:http';
import type { Middleware } from 'koa';
import { ServiceError } from '../wire/error.js';

/** What a listener lets in. */
export interface GateRules {
  /** Host names beside `localhost`, `127.0.0.1` and `[::1]`, without a port. */
  readonly hosts: readonly string[];
  /** Every name is good: callers have proved a key before, which no web page can, and ports may be mapped between. */
  readonly anyHost?: boolean;
  /** Origins of web pages that may call this server, exact, such as `http://localhost:5173`. */
  readonly origins: readonly string[];
  /** Content types that a request with a body may have on this path, such as `application/json`. */
  readonly contentTypes: (path: string) => readonly string[];
  /** Paths that a link on any page may open in the browser (the explorer, the API's description). */
  readonly linkable?: (path: string) => boolean;
}

const ownHosts = ['localhost', '127.0.0.1', '[::1]'];
/** Ports that a stack is not known by before it starts are closed to webhooks by this. */
const webhookMark = 'x-parley-event';
/** Methods whose content type is looked at. */
export const methodsWithBody: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);
const maxShownCharacters = 100;

/**
 * The first check of every request and upgrade: the raw `Host`, the `Origin`, the content type (assurance, S3 and S4).
 * A page in the developer's browser, also one that points its own name at 127.0.0.1, reaches nothing behind it.
 *
 * A webhook reaches nothing either: a node marks its calls, and no message can take the mark away (assurance S18).
 *
 * @throws ServiceError bad_target, host_refused, origin_refused, bad_content_type, webhook_call
 */
export function checkRequest(request: IncomingMessage, port: number, rules: GateRules): void {
  if (request.headers[webhookMark] !== undefined) throw new ServiceError('webhook_call');
  checkTarget(request);
  checkHost(request, port, rules);
  checkOrigin(request, port, rules);
  checkContentType(request, rules);
}

/** `checkRequest` as the first middleware, with the CORS answers for the origins that are allowed. */
export function createGate(rules: GateRules): Middleware {
  return async (ctx, next) => {
    checkRequest(ctx.req, ctx.req.socket.localPort ?? 0, rules);
    const origin = ctx.req.headers.origin;
    if (origin !== undefined && rules.origins.includes(origin)) {
      ctx.set('Access-Control-Allow-Origin', origin);
      ctx.set('Vary', 'Origin');
      if (ctx.method === 'OPTIONS') {
        ctx.set('Access-Control-Allow-Methods', 'GET, HEAD, POST, PUT, PATCH, DELETE');
        ctx.set('Access-Control-Allow-Headers', 'Content-Type, Authorization, Request-Timeout, X-FireFly-Request-ID');
        ctx.status = 204;
        return;
      }
    }
    await next();
  };
}

/** A target has no fragment; with one, parsers of URLs read different paths, and some of them throw (RFC 9112, 3.2). */
function checkTarget({ url = '' }: IncomingMessage): void {
  if (url.includes('#')) throw new ServiceError('bad_target', { actual: url.slice(0, maxShownCharacters) });
}

function checkHost(request: IncomingMessage, port: number, rules: GateRules): void {
  const hosts = request.rawHeaders.filter((_, i) => i % 2 === 1 && request.rawHeaders[i - 1]?.toLowerCase() === 'host');
  const host = hosts[0]?.toLowerCase();
  const absoluteTarget = request.url?.startsWith('/') !== true;
  const isGood = host !== undefined && (rules.anyHost === true || isOurs(host, port, rules));
  if (hosts.length === 1 && isGood && !absoluteTarget) return;
  throw new ServiceError('host_refused', { actual: hosts.join(', '), expected: `127.0.0.1:${port}` });
}

function isOurs(host: string, port: number, rules: GateRules): boolean {
  return [...ownHosts, ...rules.hosts].some((name) => host === `${name}:${port}` || (port === 80 && host === name));
}

function checkOrigin(request: IncomingMessage, port: number, rules: GateRules): void {
  const { origin } = request.headers;
  if (origin !== undefined) {
    const own = origin.startsWith('http://') && isOurs(origin.slice('http://'.length), port, rules);
    if (own || rules.origins.includes(origin)) return;
    throw new ServiceError('origin_refused', { actual: origin });
  }
  const site = request.headers['sec-fetch-site'];
  if (site === undefined || site === 'same-origin' || site === 'none') return;
  const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
  const isLink = request.method === 'GET' && request.headers['sec-fetch-mode'] === 'navigate';
  if (isLink && rules.linkable?.(path) === true) return;
  throw new ServiceError('origin_refused', { actual: `another site (${String(site)})` });
}

function checkContentType(request: IncomingMessage, rules: GateRules): void {
  if (!methodsWithBody.has(request.method ?? '')) return;
  const expected = rules.contentTypes((request.url ?? '/').split('?', 1)[0] ?? '/');
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    throw new ServiceError('bad_content_type', { expected: expected.join(' or '), actual: `encoded as ${encoding}` });
  }
  const hasBody = request.headers['transfer-encoding'] !== undefined || request.headers['content-length'] !== undefined;
  const isEmpty = !hasBody || request.headers['content-length'] === '0';
  const actual = request.headers['content-type'] ?? '';
  if (expected.includes((actual.split(';', 1)[0] ?? '').trim().toLowerCase())) return;
  // A body-less POST needs no type, but a page's form post always has one: any type that is given must fit.
  if (isEmpty && actual === '') return;
  throw new ServiceError('bad_content_type', { expected: expected.join(' or '), actual });
}
