import assert from 'node:assert/strict';
import { constants, randomUUID } from 'node:crypto';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
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
  /** Mutual TLS; else plain. */
  readonly secure?: SecureRules;
  readonly log: Log;
}

/** How a listener proves who it is, and whom it lets in. */
export interface SecureRules {
  /** PEM. */
  readonly key: string;
  readonly certificate: string;
  /** Asked of every connection when its handshake has ended; who is not accepted is cut before HTTP is read. */
  readonly accept: (socket: TLSSocket) => boolean;
  /** A connection on which nothing moves for so long is cut. */
  readonly maxSilenceMs: number;
}

export interface Listener {
  readonly port: number;
  /** `http://127.0.0.1:<port>`, or `https:` */
  readonly url: string;
  /** Takes no new connection, lets requests in progress end for at most `graceMs`, then cuts what is left. */
  close(graceMs: number): Promise<void>;
}

const limits = {
  headersTimeoutMs: 10_000,
  /** A file of 64 GiB at a modest pace; whoever is silent is cut off long before, and JSON has its deadline. */
  requestTimeoutMs: 6 * 3_600_000,
  keepAliveTimeoutMs: 65_000,
  handshakeTimeoutMs: 10_000,
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
  const server = makeServer(options.secure, (request, response) => {
    closeWhenAnswered(server, response);
    void answer(request, response);
  });
  harden(server, options);
  const cutAll = connectionsOf(server);
  await listen(server, options);
  const port = portOf(server);
  return {
    port,
    url: urlOf(options, port),
    close: (graceMs) => closeServer(server, graceMs, cutAll),
  };
}

function urlOf({ host, secure }: ListenerOptions, port: number): string {
  return `${secure === undefined ? 'http' : 'https'}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/**
 * With TLS every connection must bring a certificate, whoever has signed it: `accept` decides by its key alone, after
 * the handshake has proved that key and before HTTP hears of the connection. TLS 1.3 only and never resumed, so each
 * connection proves its key anew (assurance S5).
 */
function makeServer(secure: SecureRules | undefined, answer: RequestListener): Server {
  const maxHeaderSize = limits.maxHeaderBytes;
  if (secure === undefined) return createServer({ maxHeaderSize }, answer);
  const server = createSecureServer(
    {
      maxHeaderSize,
      key: secure.key,
      cert: secure.certificate,
      minVersion: 'TLSv1.3',
      requestCert: true,
      // A chain of signatures means nothing here; without this Node would ask for one.
      rejectUnauthorized: false,
      secureOptions: constants.SSL_OP_NO_TICKET,
      handshakeTimeout: limits.handshakeTimeoutMs,
    },
    answer,
  );
  const serveHttp = server.listeners('secureConnection');
  server.removeAllListeners('secureConnection');
  server.on('secureConnection', (socket: TLSSocket) => {
    if (!secure.accept(socket)) socket.destroy();
    else for (const serve of serveHttp) serve.call(server, socket);
  });
  return server;
}

function harden(server: Server, options: ListenerOptions): void {
  server.headersTimeout = limits.headersTimeoutMs;
  // What peers stream may take as long as it moves.
  server.requestTimeout = options.secure === undefined ? limits.requestTimeoutMs : 0;
  if (options.secure !== undefined) server.setTimeout(options.secure.maxSilenceMs);
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

/** Cuts everything, also connections whose handshake has not ended, of which HTTP knows nothing. */
function connectionsOf(server: Server): () => void {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return () => {
    for (const socket of sockets) socket.destroy();
  };
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

/** A connection that is kept alive after the last answer on it would hold up the close until it is cut. */
function closeWhenAnswered(server: Server, response: ServerResponse): void {
  response.once('close', () => {
    if (!server.listening) setImmediate(() => server.closeIdleConnections());
  });
}
