import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import Koa, { type Middleware } from 'koa';
import type { Log } from '../ports/log.js';
import { ServiceError } from '../wire/errors/error.js';
import { followAnswers, type PendingAnswer } from './answers/answers.js';
import { type Authentication, createAuthenticator } from './access/auth.js';
import { answerBrokenRequests } from './answers/broken-request.js';
import { contain } from './contain.js';
import { type ConnectionLimits, limitConnections } from './access/connection-limits.js';
import { answerErrors, toServiceError } from './answers/errors.js';
import { checkRequest, createGate, type GateRules } from './access/gate.js';
import { asksForWebSocket, serveAsItIs } from './access/no-upgrade.js';
import { createBodyTimeouts, type BodyTimeLimits } from './bodies/body-timeouts.js';
import { noSniffing, refuseSocket } from './answers/raw-refusal.js';
import { joinSlashes } from './access/target.js';
import { type Certificate, makeServer, type SecureRules } from './server.js';

export interface ListenerOptions {
  /** The address to bind. One that is not loopback requires authentication, or a trusted network. */
  readonly host: string;
  /** 0 = any free port. */
  readonly port: number;
  readonly rules: GateRules;
  /** The middleware after the gate, in order. */
  readonly middleware: readonly Middleware[];
  /** Receives a WebSocket handshake that has passed the gate. A `ServiceError` that it throws refuses the handshake. */
  readonly upgrade?: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
  /** Authenticates callers, directly after the gate. */
  readonly authentication?: Authentication | undefined;
  /** Whether everyone who can reach `host` may call: it may then be other than loopback without authentication. */
  readonly trustedNetwork?: boolean | undefined;
  /** Mutual TLS. */
  readonly secure?: SecureRules;
  /** TLS for clients of any kind; without it and `secure` plain HTTP. */
  readonly certificate?: Certificate | undefined;
  /** Overrides of the default limits. */
  readonly limits?: Partial<ListenerLimits>;
  readonly log: Log;
}

export type ListenerLimits = BodyTimeLimits & ConnectionLimits;

export interface Listener {
  readonly port: number;
  /** `http://127.0.0.1:<port>`, or `https:` */
  readonly url: string;
  /** Shows another certificate to new connections. Only for a listener that was opened with one. */
  renew(certificate: Certificate): void;
  /**
   * Stops accepting connections, waits at most `graceMs` for requests in progress, then destroys the remaining ones.
   */
  close(graceMs: number): Promise<void>;
}

const usualLimits: ListenerLimits = {
  maxBodyIdleMs: 30_000,
  maxBodyMs: 120_000,
  maxConnections: 2_000,
  maxConnectionsPerAddress: 1_000,
};
const fixedLimits = {
  headersTimeoutMs: 10_000,
  /** Enough for 64 GiB at a modest rate; a stalled body is refused long before. */
  requestTimeoutMs: 6 * 3_600_000,
  keepAliveTimeoutMs: 65_000,
};
const serverLimits = {
  /** Interval in which Node checks for late headers. */
  headersCheckMs: 5_000,
  handshakeTimeoutMs: 10_000,
  maxHeaderBytes: 16_384,
};
const loopback = new Set(['127.0.0.1', '::1', 'localhost']);

/** Wildcard addresses, with the loopback address at which each is called. */
const wildcards = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '::1'],
]);

/**
 * Opens a listener, as all programs use it: loopback only unless credentials are required or the network is trusted,
 * gate first, uniform errors, limited connections, graceful close (docs/architecture.md §12.1).
 *
 * @throws Error if the host is not a loopback address and there is neither authentication, mutual TLS nor a trusted
 * network, or if the port cannot be bound (`cause.code` as Node gives it)
 */
export async function openListener(asked: ListenerOptions): Promise<Listener> {
  const { authentication, secure, host, trustedNetwork = false } = asked;
  if (!loopback.has(host) && authentication === undefined && secure === undefined && !trustedNetwork) {
    throw new Error(`Refusing to listen on ${host}: without auth only 127.0.0.1 is possible. Set auth, or host.`);
  }
  const options = { ...asked, rules: { ...asked.rules, hosts: [...asked.rules.hosts, ...ownName(host)] } };
  const app = new Koa({ proxy: false });
  app.silent = true;
  const limits = { ...usualLimits, ...options.limits };
  const bodyTimeouts = createBodyTimeouts(limits);
  const first = [answerErrors(options.log), bodyTimeouts.middleware, createGate(options.rules)];
  const second = authentication === undefined ? [] : [createAuthenticator(authentication)];
  for (const middleware of [...first, ...second, ...options.middleware]) app.use(middleware);
  const answer = app.callback();
  const { server, renew } = makeServer(options, serverLimits, (request, response) => {
    joinSlashes(request);
    closeWhenAnswered(server, response);
    response.setHeader(...noSniffing);
    response.on('error', () => response.destroy());
    contain(
      () => {
        bodyTimeouts.watch(request);
        return answer(request, response);
      },
      (error) => {
        options.log.error('A request failed because of a defect', { error });
        response.destroy();
      },
    );
  });
  const pendingOn = followAnswers(server);
  harden(server, options, pendingOn);
  answerBrokenRequests(server, pendingOn, serverLimits.maxHeaderBytes);
  const { cutAll } = limitConnections(server, limits, isSecure(options));
  await listen(server, options);
  const port = portOf(server);
  return {
    port,
    url: urlOf(options, port),
    renew,
    async close(graceMs) {
      await closeServer(server, graceMs, cutAll);
      bodyTimeouts.stop();
    },
  };
}

/**
 * The bound address is also a host name that callers may use; an attacker's page cannot make it resolve to this
 * machine.
 */
function ownName(host: string): string[] {
  return host === '' || wildcards.has(host) ? [] : [inUrl(host).toLowerCase()];
}

function isSecure({ secure, certificate }: ListenerOptions): boolean {
  return secure !== undefined || certificate !== undefined;
}

function urlOf(options: ListenerOptions, port: number): string {
  const { host } = options;
  return `${isSecure(options) ? 'https' : 'http'}://${inUrl(wildcards.get(host) ?? host)}:${port}`;
}

function inUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

function harden(server: Server, options: ListenerOptions, pendingOn: PendingAnswer): void {
  server.headersTimeout = fixedLimits.headersTimeoutMs;
  // A stream from a peer may take any time, as long as it progresses.
  server.requestTimeout = options.secure === undefined ? fixedLimits.requestTimeoutMs : 0;
  if (options.secure !== undefined) server.setTimeout(options.secure.maxSilenceMs);
  server.keepAliveTimeout = fixedLimits.keepAliveTimeoutMs;
  // A server may ignore unknown expectations (RFC 9110, 10.1.1); Node's own refusal has no error in its body.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const refuse = (thrown: unknown): void => {
      refuseSocket(socket, toServiceError(thrown, randomUUID(), options.log));
    };
    if (options.secure === undefined && !asksForWebSocket(request)) {
      contain(() => serveAsItIs(server, request, socket, { head, pendingOn }), refuse);
      return;
    }
    joinSlashes(request);
    // A client that disconnects during the checks must not end the process.
    socket.on('error', () => socket.destroy());
    contain(() => passUpgrade(request, options, () => options.upgrade?.(request, socket, head)), refuse);
  });
}

async function passUpgrade(request: IncomingMessage, options: ListenerOptions, pass: () => void): Promise<void> {
  checkRequest(request, request.socket.localPort ?? 0, options.rules);
  await options.authentication?.admit(request);
  if (options.upgrade === undefined) throw new ServiceError('not_found', { what: `a socket at ${request.url}` });
  pass();
}

function portOf(server: Server): number {
  const address = server.address();
  assert(typeof address === 'object' && address !== null, 'a listening TCP server has a port');
  return address.port;
}

function listen(server: Server, { host, port, log }: ListenerOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (cause: Error): void => {
      reject(new Error(`Cannot listen on ${host}:${port}: ${cause.message}`, { cause }));
    };
    server.once('error', fail);
    server.listen({ host, port, exclusive: true }, () => {
      server.off('error', fail).on('error', (error) => log.warn('A connection could not be accepted', { error }));
      resolve();
    });
  });
}

function closeServer(server: Server, graceMs: number, cutAll: () => void): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(cutAll, graceMs);
    server.close(() => {
      clearTimeout(cut);
      resolve();
    });
    server.closeIdleConnections();
  });
}

/** A kept-alive connection would otherwise delay the close until the end of the grace period. */
function closeWhenAnswered(server: Server, response: ServerResponse): void {
  response.once('close', () => {
    if (!server.listening) setImmediate(() => server.closeIdleConnections());
  });
}
