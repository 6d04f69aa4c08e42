import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import Koa, { type Middleware } from 'koa';
import type { Log } from '../ports/log.js';
import { ServiceError } from '../wire/error.js';
import { answerErrors, errorBody, toServiceError } from './errors.js';
import { checkRequest, createGate, type GateRules } from './gate.js';

export interface ListenerOptions {
  /** A loopback address; any other is refused. */
  readonly host: string;
  /** 0 = any free port. */
  readonly port: number;
  readonly rules: GateRules;
  /** What answers behind the gate, in order. */
  readonly middleware: readonly Middleware[];
  /** Takes a WebSocket handshake that has passed the gate. A `ServiceError` it throws refuses the handshake. */
  readonly upgrade?: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
  readonly log: Log;
}

export interface Listener {
  readonly port: number;
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  /** Takes no new connection, lets requests in progress end for at most `graceMs`, then cuts what is left. */
  close(graceMs: number): Promise<void>;
}

const limits = {
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 660_000,
  keepAliveTimeoutMs: 65_000,
  maxConnections: 2_000,
  maxHeaderBytes: 16_384,
};
const loopback = new Set(['127.0.0.1', '::1', 'localhost']);

/**
 * Opens the one kind of plain listener that all our programs have: loopback only, gate first, errors shaped,
 * connections limited, closing with grace (assurance S2–S4, S24).
 *
 * @throws Error when the host is no loopback address, or the port cannot be bound (`cause.code` as Node gives it)
 */
export async function openListener(options: ListenerOptions): Promise<Listener> {
  if (!loopback.has(options.host)) {
    throw new Error(`Refusing to listen on ${options.host}: without authentication only 127.0.0.1 is possible.`);
  }
  const app = new Koa({ proxy: false });
  app.silent = true;
  for (const middleware of [answerErrors(options.log), createGate(options.rules), ...options.middleware]) {
    app.use(middleware);
  }
  const answer = app.callback();
  const server = createServer({ maxHeaderSize: limits.maxHeaderBytes }, (request, response) => {
    closeWhenAnswered(server, response);
    void answer(request, response);
  });
  harden(server, options);
  await listen(server, options);
  const port = portOf(server);
  return {
    port,
    url: `http://${options.host.includes(':') ? `[${options.host}]` : options.host}:${port}`,
    close: (graceMs) => closeServer(server, graceMs),
  };
}

function harden(server: Server, options: ListenerOptions): void {
  server.headersTimeout = limits.headersTimeoutMs;
  server.requestTimeout = limits.requestTimeoutMs;
  server.keepAliveTimeout = limits.keepAliveTimeoutMs;
  server.maxConnections = limits.maxConnections;
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    try {
      checkRequest(request, request.socket.localPort ?? 0, options.rules);
      if (options.upgrade === undefined) throw new ServiceError('not_found', { what: `a socket at ${request.url}` });
      options.upgrade(request, socket, head);
    } catch (thrown) {
      refuseUpgrade(socket, toServiceError(thrown, randomUUID(), options.log));
    }
  });
}

/** Answers a handshake with an ordinary HTTP error and ends the connection. */
export function refuseUpgrade(socket: Duplex, error: ServiceError): void {
  const body = errorBody(error);
  socket.on('error', () => socket.destroy());
  socket.end(
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? ''}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

function portOf(server: Server): number {
  const address = server.address();
  assert(typeof address === 'object' && address !== null, 'a listening TCP server has a port');
  return address.port;
}

function listen(server: Server, { host, port }: ListenerOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause) => {
      reject(new Error(`Cannot listen on ${host}:${port}: ${cause.message}`, { cause }));
    });
    server.listen({ host, port, exclusive: true }, resolve);
  });
}

function closeServer(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => {
      server.closeAllConnections();
    }, graceMs);
    server.close(() => {
      clearTimeout(cut);
      resolve();
    });
    server.closeIdleConnections();
  });
}

/** A connection that is kept alive after the last answer on it would hold up the close until it is cut. */
function closeWhenAnswered(server: Server, response: ServerResponse): void {
  response.once('close', () => {
    if (!server.listening) setImmediate(() => server.closeIdleConnections());
  });
}
