import { constants } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer, type Server as SecureServer } from 'node:https';
import { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Log } from '../ports/log.js';
import { ServiceError } from '../wire/errors/error.js';
import { refuseSocket } from './answers/raw-refusal.js';
import { contain } from './contain.js';

/** A certificate with its private key, both PEM. */
export interface Certificate {
  readonly key: string;
  /** The server's own certificate first, then those of its issuers. */
  readonly certificate: string;
}

/** The certificate of a listener, and the check of its clients. */
export interface SecureRules extends Certificate {
  /** The one protocol that it accepts: the handshake fails with a client that names only others (ALPN). */
  readonly protocol: string;
  /**
   * Called for every connection after its handshake; a client that is not accepted is disconnected before HTTP is read.
   */
  readonly accept: (socket: TLSSocket) => boolean;
  /** Called with the error of a failed handshake. */
  readonly failed?: (error: Error) => void;
  /** A connection without traffic for this long is closed. */
  readonly maxSilenceMs: number;
}

export interface ServerLimits {
  readonly headersCheckMs: number;
  readonly handshakeTimeoutMs: number;
  readonly maxHeaderBytes: number;
}

interface ServerOptions {
  readonly secure?: SecureRules;
  readonly certificate?: Certificate | undefined;
  readonly log: Log;
}

interface MadeServer {
  readonly server: Server;
  readonly renew: (certificate: Certificate) => void;
}

/** Creates the server of a listener: with mutual TLS, with TLS, or with plain HTTP. */
export function makeServer(
  { secure, certificate, log }: ServerOptions,
  { maxHeaderBytes, headersCheckMs, handshakeTimeoutMs }: ServerLimits,
  answer: RequestListener,
): MadeServer {
  // The gate checks `Host`: Node's own refusal has no error in its body.
  const ofHttp = {
    requireHostHeader: false,
    maxHeaderSize: maxHeaderBytes,
    connectionsCheckingInterval: headersCheckMs,
  };
  const ofTls = { ...ofHttp, handshakeTimeout: handshakeTimeoutMs };
  if (secure !== undefined) {
    const server = createSecureServer({ ...ofTls, ...mutualTls(secure) }, answer);
    checkClients(server, secure, log);
    return { server, renew: (renewed) => server.setSecureContext(pemOf(renewed)) };
  }
  if (certificate === undefined) return { server: createServer(ofHttp, answer), renew: () => undefined };
  const server = createSecureServer({ ...ofTls, ...pemOf(certificate), ...newEnough }, answer);
  server.on('tlsClientError', answerPlainHttp);
  // A new context has no settings of the old one.
  return { server, renew: (renewed) => server.setSecureContext({ ...pemOf(renewed), ...newEnough }) };
}

const newEnough = { minVersion: 'TLSv1.2' } as const;

function pemOf({ key, certificate }: Certificate): { readonly key: string; readonly cert: string } {
  return { key, cert: certificate };
}

/**
 * Every connection must present a certificate, whoever signed it: `accept` decides by its key only, after the handshake
 * has proved that key and before HTTP sees the connection. TLS 1.3 only, without resumption, so each connection proves
 * its key (docs/architecture.md §12.2).
 */
function mutualTls(secure: SecureRules) {
  return {
    ...pemOf(secure),
    ALPNProtocols: [secure.protocol],
    minVersion: 'TLSv1.3',
    requestCert: true,
    // Certificate chains are not used; by default Node would require one.
    rejectUnauthorized: false,
    secureOptions: constants.SSL_OP_NO_TICKET,
  } as const;
}

function checkClients(server: SecureServer, secure: SecureRules, log: Log): void {
  server.on('tlsClientError', (error: Error) => secure.failed?.(error));
  const serveHttp = server.listeners('secureConnection');
  server.removeAllListeners('secureConnection');
  server.on('secureConnection', (socket: TLSSocket) => {
    contain(
      () => {
        if (!secure.accept(socket)) socket.destroy();
        else for (const serve of serveHttp) serve.call(server, socket);
      },
      (error) => {
        log.error('A connection failed because of a defect', { error });
        socket.destroy();
      },
    );
  });
}

/** Answers a client that speaks plain HTTP with a response that it can read, on the raw connection below TLS. */
function answerPlainHttp(error: NodeJS.ErrnoException, socket: TLSSocket): void {
  const below: unknown = Reflect.get(socket, '_parent');
  if (error.code !== 'ERR_SSL_HTTP_REQUEST' || !(below instanceof Socket)) return;
  refuseSocket(
    below,
    new ServiceError('bad_request', { problem: 'this port speaks HTTPS: write https:// in the URL' }),
  );
}
