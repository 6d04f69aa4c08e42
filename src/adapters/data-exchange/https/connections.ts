import { Agent } from 'node:https';
import { connect, type TLSSocket } from 'node:tls';
import { type Peer, PeerError } from '../../../ports/data-exchange.js';
import { peerOf } from './identity.js';
import { speaks } from './protocol.js';

/** Envelopes and blobs use separate connections, so that neither waits for the other. */
export type Traffic = 'envelopes' | 'blobs';

/** The connections of a node to its peers. */
export interface Connections {
  /** Returns the agent for a peer at its address. Every connection has proved the peer's key. */
  agent(peer: Peer, traffic: Traffic): Agent;
  /** Closes the connections to every peer for which `isKept` is false. */
  keep(isKept: (publicKeyHash: string) => boolean): void;
}

export interface ConnectionsOptions {
  /** PEM. */
  readonly key: string;
  readonly certificate: string;
  /** The name of the protocol (ALPN), which differs between copies of a network. */
  readonly protocol: string;
  readonly connectMs: number;
}

interface Pool extends Record<Traffic, Agent> {
  readonly endpoint: string;
  cut(reason: string): void;
}

/** The limit of connections per peer and kind of traffic; further requests wait. */
const maxConnections = 16;

/** Creates the connections. They are opened on demand and stay open between requests. */
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
      drop(publicKeyHash, 'The address of the peer has changed.');
      const pool = createPool(peer, options);
      pools.set(publicKeyHash, pool);
      return pool[traffic];
    },
    keep(isKept) {
      for (const publicKeyHash of [...pools.keys()]) {
        if (!isKept(publicKeyHash)) drop(publicKeyHash, 'The peer is no longer admitted.');
      }
    },
  };
}

function createPool(peer: Peer, options: ConnectionsOptions): Pool {
  const sockets = new Set<TLSSocket>();
  const make = (): Agent => {
    const agent = new Agent({ keepAlive: true, maxSockets: maxConnections });
    // Node's own agent would write the request before the peer is verified.
    agent.createConnection = (_, onConnected) => {
      const socket = open(peer, options);
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
      const fail = (error: Error): void => onConnected?.(error, socket);
      socket.once('error', fail);
      socket.once('secureConnect', () => {
        const found = peerOf(socket);
        if (found !== peer.publicKeyHash) {
          const actual = found === undefined ? 'without a certificate' : `with the key ${found}`;
          socket.destroy(new PeerError(`${peer.endpoint} answered ${actual}, not with the registered key.`));
          return;
        }
        if (!speaks(socket, options.protocol)) {
          socket.destroy(new PeerError(`${peer.endpoint} belongs to another copy of the network.`));
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

function open({ endpoint }: Peer, { key, certificate, protocol, connectMs }: ConnectionsOptions): TLSSocket {
  const { hostname, port } = new URL(endpoint);
  const socket = connect({
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(port || 443),
    key,
    cert: certificate,
    ALPNProtocols: [protocol],
    minVersion: 'TLSv1.3',
    // Issuer and name of the certificate are ignored: the caller checks its key.
    rejectUnauthorized: false,
  });
  socket.setNoDelay(true);
  socket.setKeepAlive(true, connectMs);
  socket.setTimeout(connectMs, () => socket.destroy(new PeerError(`${endpoint} did not respond for ${connectMs} ms.`)));
  return socket;
}
