import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { ServiceError } from '../../wire/errors/error.js';
import { refuseSocket } from '../answers/raw-refusal.js';

export interface ConnectionLimits {
  readonly maxConnections: number;
  /** Limit for each remote address. It does not apply to this machine, whose users all share one address. */
  readonly maxConnectionsPerAddress: number;
}

/** The open connections of a listener. */
export interface OpenConnections {
  /** Destroys every connection, including those during the TLS handshake, which HTTP does not know. */
  cutAll(): void;
}

/** Number of connections that are refused with a response at the same time; others are destroyed. */
const maxRefusing = 64;
/** Time that a refused connection has to send a request, and then to read the response. */
const refusalMs = 2_000;

/**
 * Enforces the limits on connections. Excess connections get a 503 once they have sent a request, since a client treats
 * a response without a request as a broken connection. With TLS they are destroyed: the client could not read the
 * response.
 */
export function limitConnections(server: Server, limits: ConnectionLimits, isSecure: boolean): OpenConnections {
  const serving = new Set<Socket>();
  const refusing = new Set<Socket>();
  const byAddress = new Map<string, number>();
  const serveHttp = server.listeners('connection');
  server.removeAllListeners('connection');

  function problemOf(address: string): string | undefined {
    const { maxConnections, maxConnectionsPerAddress } = limits;
    if (serving.size >= maxConnections) return `All ${maxConnections} connections of this server are taken`;
    if (isLoopback(address) || (byAddress.get(address) ?? 0) < maxConnectionsPerAddress) return undefined;
    return `Your address has all the ${maxConnectionsPerAddress} connections that one may have`;
  }

  function admit(socket: Socket, address: string): void {
    serving.add(socket);
    byAddress.set(address, (byAddress.get(address) ?? 0) + 1);
    socket.once('close', () => {
      serving.delete(socket);
      const left = (byAddress.get(address) ?? 1) - 1;
      if (left > 0) byAddress.set(address, left);
      else byAddress.delete(address);
    });
  }

  function refuse(socket: Socket, what: string): void {
    if (isSecure || refusing.size >= maxRefusing) {
      socket.destroy();
      return;
    }
    refusing.add(socket);
    const timer = setTimeout(() => socket.destroy(), refusalMs);
    socket.once('close', () => {
      clearTimeout(timer);
      refusing.delete(socket);
    });
    socket.on('error', () => socket.destroy());
    // Further input is discarded: closing a connection with unread bytes resets it.
    socket.resume();
    socket.once('data', () => refuseSocket(socket, new ServiceError('stopping', { what })));
  }

  server.on('connection', (socket: Socket) => {
    // A connection that is already served comes again when it was given back without its upgrade (`no-upgrade.ts`).
    if (!serving.has(socket)) {
      const address = socket.remoteAddress ?? '';
      const problem = problemOf(address);
      if (problem !== undefined) {
        refuse(socket, problem);
        return;
      }
      admit(socket, address);
    }
    for (const serve of serveHttp) serve.call(server, socket);
  });
  return {
    cutAll() {
      for (const socket of [...serving, ...refusing]) socket.destroy();
    },
  };
}

function isLoopback(address: string): boolean {
  return address === '::1' || /^(::ffff:)?127\./.test(address);
}
