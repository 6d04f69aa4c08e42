import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { ServiceError } from '../wire/error.js';
import { refuseSocket } from './raw-refusal.js';

export interface CrowdLimits {
  readonly maxConnections: number;
  /** For each address of another machine. All users of this one share an address, so there is no such limit for it. */
  readonly maxConnectionsPerAddress: number;
}

/** The connections of a listener. */
export interface Crowd {
  /** Cuts everything, also connections whose handshake has not ended, of which HTTP knows nothing. */
  cutAll(): void;
}

/** How many are told at a time that there is no room; more are cut. */
const maxRefusing = 64;
/** How long a connection that is refused has to ask something, and then to read the answer. */
const refusalMs = 2_000;

/**
 * Keeps to the limits of connections. Each one beyond them is answered 503, once it has asked something, since a client
 * takes an answer to no question for a broken connection. What speaks TLS is cut: nobody could read it.
 */
export function limitConnections(server: Server, limits: CrowdLimits, isSecure: boolean): Crowd {
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
    // What follows is read and dropped: a connection that is closed over unread bytes is reset.
    socket.resume();
    socket.once('data', () => refuseSocket(socket, new ServiceError('stopping', { what })));
  }

  server.on('connection', (socket: Socket) => {
    // One that is served already has been given back, to be read as if it had not asked for another protocol.
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
