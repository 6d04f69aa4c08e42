import { Agent } from 'node:https';
import { rootCertificates } from 'node:tls';
import type { Transport } from '../client/transport.js';
import { createTransport } from './client/transport.js';
import { pinnedTo } from './client/trust.js';

/** A means to reach servers that speak TLS, over kept-alive connections. */
export interface SecureRoute {
  /** For WebSockets, and for requests that are made with `http/client`. */
  readonly agent: Agent;
  readonly transport: Transport;
}

/**
 * Creates the route to the one server with a certificate. A server that shows it is trusted, so its name and issuer do
 * not matter; its dates do. `host` is the address to connect to, whatever the URL names.
 */
export function createPinnedRoute(certificate: string, host?: string): SecureRoute {
  const elsewhere = host === undefined ? {} : { host };
  return routeOver(new Agent({ keepAlive: true, ...elsewhere, ...pinnedTo([certificate]) }));
}

/** Creates the route to servers with certificates of these authorities, or of those that Node knows. */
export function createTrustedRoute(authorities: string): SecureRoute {
  const ca = [...rootCertificates, authorities];
  return routeOver(new Agent({ keepAlive: true, ca, allowPartialTrustChain: true }));
}

function routeOver(agent: Agent): SecureRoute {
  return { agent, transport: createTransport({ secure: agent }) };
}
