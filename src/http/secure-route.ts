import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { rootCertificates } from 'node:tls';
import { pinnedTo } from './client/trust.js';

/** A way to servers that speak TLS, over kept-alive connections. */
export interface SecureRoute {
  /** For WebSockets, and for requests that are made with Node's own client. */
  readonly agent: Agent;
  readonly fetch: typeof fetch;
}

/**
 * Creates the way to the one server that has a certificate. Whoever shows that certificate is the server, so its name
 * and issuer do not matter; its dates do. `host` is the address to connect to, whatever the URL names.
 */
export function createPinnedRoute(certificate: string, host?: string): SecureRoute {
  const elsewhere = host === undefined ? {} : { host };
  return routeOver(new Agent({ keepAlive: true, ...elsewhere, ...pinnedTo([certificate]) }));
}

/** Creates the way to servers with certificates of these authorities, or of those that Node knows. */
export function createTrustedRoute(authorities: string): SecureRoute {
  const ca = [...rootCertificates, authorities];
  return routeOver(new Agent({ keepAlive: true, ca, allowPartialTrustChain: true }));
}

function routeOver(agent: Agent): SecureRoute {
  return { agent, fetch: createFetch(agent) };
}

/** Statuses of responses that have no body. */
const bodiless = new Set([204, 205, 304]);

/** A `fetch` with its own trust: that of the platform takes its authorities from the environment alone. */
function createFetch(agent: Agent): typeof fetch {
  return async (input, init) => {
    const asked = new Request(input, init);
    if (!asked.url.startsWith('https:')) return fetch(asked);
    const headers: Record<string, string> = Object.fromEntries(asked.headers);
    const text = init?.body;
    if (typeof text === 'string') headers['content-length'] = String(Buffer.byteLength(text));
    const { method, signal } = asked;
    const call = request(asked.url, { agent, method, headers, signal });
    const answered = new Promise<IncomingMessage>((resolve, reject) => {
      call.once('response', resolve).once('error', reject);
    });
    if (asked.body === null || typeof text === 'string') call.end(text ?? undefined);
    // A server that refuses a body answers before it has read it.
    else pipeline(Readable.fromWeb(asked.body), call).catch((error: unknown) => call.destroy(errorOf(error)));
    const response = await answered;
    const status = response.statusCode ?? 0;
    if (bodiless.has(status)) response.resume();
    const body = bodiless.has(status) ? null : Readable.toWeb(response);
    return new Response(body, { status, headers: headersOf(response) });
  };
}

function errorOf(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  rawHeaders.forEach((name, index) => {
    if (index % 2 === 0) headers.append(name, rawHeaders[index + 1] ?? '');
  });
  return headers;
}
