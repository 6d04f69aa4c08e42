import { Agent } from 'node:https';
import { connect, type TLSSocket } from 'node:tls';
import { type Peer, PeerError } from '../../ports/data-exchange.js';
import { peerOf } from './identity.js';

/** Envelopes and blobs go over connections of their own, so that none waits behind the other. */
export type Traffic = 'envelopes' | 'blobs';

/** The connections of this node to its peers. */
export interface Connections {
  /** Gives connections to this peer at its address, and to nobody else: each has proved the peer's key. */
  agent(peer: Peer, traffic: Traffic): Agent;
  /** Cuts those to every peer that is not kept. */
  keep(isKept: (publicKeyHash: string) => boolean): void;
}

export interface ConnectionsOptions {
  /** PEM. */
  readonly key: string;
  readonly certificate: string;
  readonly connectMs: number;
}

interface Pool extends Record<Traffic, Agent> {
  readonly endpoint: string;
  cut(reason: string): void;
}

/** More than these at once of a kind wait for one another. */
const maxConnections = 16;

/** No connections yet. They stay open between requests. */
export function createConnections(options: ConnectionsOptions): Connections {
  const pools = new Map<string, Pool>();

  function drop(publicKeyHash: string, reason: string): void {
    pools.get(publicKeyHash)?.cut(reason);
    pools.delete(publicKeyHash);
  }

  return {
    agent(peer, traffic) {
      const { publicKeyHash, endpoint } = peer;
      const known = pools.get(publicKeyHash);
      if (known?.endpoint === endpoint) return known[traffic];
      drop(publicKeyHash, 'The peer has moved to another address.');
      const pool = createPool(peer, options);
      pools.set(publicKeyHash, pool);
      return pool[traffic];
    },
    keep(isKept) {
      for (const publicKeyHash of [...pools.keys()]) {
        if (!isKept(publicKeyHash)) drop(publicKeyHash, 'The peer is not admitted any more.');
      }
    },
  };
}

function createPool(peer: Peer, options: ConnectionsOptions): Pool {
  const sockets = new Set<TLSSocket>();
  const make = (): Agent => {
    const agent = new Agent({ keepAlive: true, maxSockets: maxConnections });
    // Node's own agent would write the request first and ask who is there afterwards.
    agent.createConnection = (_, onConnected) => {
      const socket = open(peer, options);
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
      const fail = (error: Error): void => onConnected?.(error, socket);
      socket.once('error', fail);
      socket.once('secureConnect', () => {
        const found = peerOf(socket);
        if (found !== peer.publicKeyHash) {
          socket.destroy(new PeerError(`${peer.endpoint} proves the key ${found ?? 'of nobody'}.`));
          return;
        }
        socket.setTimeout(0);
        socket.off('error', fail);
        onConnected?.(null, socket);
      });
      return undefined;
    };
    return agent;
  };
  const agents = { envelopes: make(), blobs: make() };
  return {
    ...agents,
    endpoint: peer.endpoint,
    cut(reason) {
      for (const socket of sockets) socket.destroy(new PeerError(reason));
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

function open({ endpoint }: Peer, { key, certificate, connectMs }: ConnectionsOptions): TLSSocket {
  const { hostname, port } = new URL(endpoint);
  const socket = connect({
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(port || 443),
    key,
    cert: certificate,
    minVersion: 'TLSv1.3',
    // Who signed the certificate, and for which name, means nothing: the caller looks at its key.
    rejectUnauthorized: false,
  });
  socket.setNoDelay(true);
  socket.setKeepAlive(true, connectMs);
  socket.setTimeout(connectMs, () => socket.destroy(new PeerError(`${endpoint} gave no sign for ${connectMs} ms.`)));
  return socket;
}
