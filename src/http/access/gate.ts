import type { IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';
import type { Middleware } from 'koa';
import { ServiceError } from '../../wire/errors/error.js';
import { ignoredHeader, strictHeader } from '../../wire/strict.js';

/** The rules of a listener's gate. */
export interface GateRules {
  /**
   * Allowed host names besides `localhost`, `127.0.0.1` and `[::1]`. A name with a port, such as `localhost:8080`, is
   * for a port that is mapped to the listener's.
   */
  readonly hosts: readonly string[];
  /** Allows every host name: callers have proved a key, which no web page can do, and ports may be mapped. */
  readonly anyHost?: boolean;
  /** Origins of web pages that may call this server, compared exactly, such as `http://localhost:5173`. */
  readonly origins: readonly string[];
  /** The content types allowed on a path for a request with a body, such as `application/json`. */
  readonly contentTypes: (path: string) => readonly string[];
  /** Paths that a link on any page may open in a browser (the explorer, the API's description). */
  readonly linkable?: (path: string) => boolean;
}

const ownHosts = ['localhost', '127.0.0.1', '[::1]'];
/** The header by which calls of webhooks are refused; it protects ports that are not known before a stack starts. */
const webhookMark = 'x-parley-event';
/** Methods whose content type is checked. */
export const methodsWithBody: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);
const maxShownCharacters = 100;
const hasPort = /:\d{1,5}$/;
const allowedHeaders = `Content-Type, Authorization, Request-Timeout, X-FireFly-Request-ID, ${strictHeader}`;

/**
 * Checks every request and upgrade first: the raw `Host`, the `Origin`, the content type (docs/architecture.md §12.1).
 * A page in the user's browser cannot reach anything behind it, even if the page's own name resolves to 127.0.0.1.
 *
 * Neither can a webhook: a node marks its calls, and no message can remove the mark (docs/architecture.md §12.4).
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

/** Creates the first middleware, which applies `checkRequest` and adds the CORS headers for allowed origins. */
export function createGate(rules: GateRules): Middleware {
  return async (ctx, next) => {
    checkRequest(ctx.req, ctx.req.socket.localPort ?? 0, rules);
    const origin = ctx.req.headers.origin;
    if (origin !== undefined && rules.origins.includes(origin)) {
      ctx.set('Access-Control-Allow-Origin', origin);
      ctx.set('Vary', 'Origin');
      ctx.set('Access-Control-Expose-Headers', `${ignoredHeader}, X-FireFly-Request-ID`);
      if (ctx.method === 'OPTIONS') {
        ctx.set('Access-Control-Allow-Methods', 'GET, HEAD, POST, PUT, PATCH, DELETE');
        ctx.set('Access-Control-Allow-Headers', allowedHeaders);
        ctx.status = 204;
        return;
      }
    }
    await next();
  };
}

/**
 * Refuses a target that is no path, since its name may differ from `Host`, and one with a fragment, which URL parsers
 * handle differently and some with an exception (RFC 9112, 3.2).
 */
function checkTarget({ url = '' }: IncomingMessage): void {
  if (!url.startsWith('/') || url.includes('#'))
    throw new ServiceError('bad_target', { actual: url.slice(0, maxShownCharacters) });
}

function checkHost(request: IncomingMessage, port: number, rules: GateRules): void {
  const hosts = request.rawHeaders.filter((_, i) => i % 2 === 1 && request.rawHeaders[i - 1]?.toLowerCase() === 'host');
  const host = hosts[0]?.toLowerCase();
  const isGood = host !== undefined && (rules.anyHost === true || isOurs(host, request, port, rules));
  if (hosts.length === 1 && isGood) return;
  throw new ServiceError('host_refused', { actual: hosts.join(', '), expected: `127.0.0.1:${port}` });
}

function isOurs(host: string, request: IncomingMessage, port: number, rules: GateRules): boolean {
  const isMapped = hasPort.test(host) && rules.hosts.includes(host);
  const isUsual = port === schemeOf(request).port;
  return (
    isMapped || [...ownHosts, ...rules.hosts].some((name) => host === `${name}:${port}` || (isUsual && host === name))
  );
}

/** The beginning of the URLs that lead to this connection, and their default port. */
function schemeOf({ socket }: IncomingMessage): { readonly start: string; readonly port: number } {
  return socket instanceof TLSSocket ? { start: 'https://', port: 443 } : { start: 'http://', port: 80 };
}

function checkOrigin(request: IncomingMessage, port: number, rules: GateRules): void {
  const { origin } = request.headers;
  if (origin !== undefined) {
    const { start } = schemeOf(request);
    const own = origin.startsWith(start) && isOurs(origin.slice(start.length), request, port, rules);
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
  // A POST without a body needs no type, but the post of an HTML form always has one, so a given type must match.
  if (isEmpty && actual === '') return;
  throw new ServiceError('bad_content_type', { expected: expected.join(' or '), actual });
}
