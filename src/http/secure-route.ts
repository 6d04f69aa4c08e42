import { Agent } from 'node:https';
import { rootCertificates } from 'node:tls';
import { openRequest } from './client/request.js';
import { discard, type HttpResponse } from './client/response.js';
import { pinnedTo } from './client/trust.js';

/** A way to servers that speak TLS, over kept-alive connections. */
export interface SecureRoute {
  /** For WebSockets, and for requests that are made with `http/client`. */
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
    const { url, method, signal } = asked;
    const headers = Object.fromEntries(asked.headers);
    // A text has a size, which a stream has not.
    const body = typeof init?.body === 'string' ? init.body : (asked.body ?? undefined);
    const response = await openRequest({ url, method, headers, body, agents: { secure: agent }, signal });
    const { status } = response;
    if (bodiless.has(status)) {
      await discard(response);
      return new Response(null, { status, headers: headersOf(response) });
    }
    return new Response(ReadableStream.from(response.body), { status, headers: headersOf(response) });
  };
}

function headersOf(response: HttpResponse): Headers {
  const headers = new Headers();
  for (const [name, values] of Object.entries(response.headers)) {
    for (const value of [values].flat()) if (value !== undefined) headers.append(name, value);
  }
  return headers;
}
