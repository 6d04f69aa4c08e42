import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { openListener } from '../../http/listener.js';
import {
  type DataExchange,
  type Peer,
  type PeerAnswer,
  PeerError,
  type PeerReceiver,
} from '../../ports/data-exchange.js';
import type { Log } from '../../ports/log.js';
import type { Metrics } from '../../ports/metrics.js';
import { textOf } from '../../wire/json/json.js';
import { readAnswer, readFinalAnswer } from './answer.js';
import { type Connections, createConnections, type Traffic } from './https/connections.js';
import { exactly } from './exact.js';
import { createPeerApi, peerContentTypes } from './https/server.js';
import { peerOf, publicKeyHashOf } from './https/identity.js';
import { protocolOf, speaks } from './https/protocol.js';
import { createRefusals, reasonOf } from './https/refusals.js';
import { maxEnvelopeBytes } from '../../domain/network/limits.js';
import { type PeerReply, type PeerRequest, requestPeer } from './https/request.js';
import { defaultTimeouts, type Timeouts } from './https/timeouts.js';

export interface HttpsExchangeOptions {
  readonly host: string;
  /** The address under which other nodes reach the listener, if it is not `host` and `port`. */
  readonly advertise?: string | undefined;
  /** 0 = any free port. */
  readonly port: number;
  /** PEM. The key does not leave this process. */
  readonly key: string;
  readonly certificate: string;
  /**
   * Identifies the copy of a network to which this node belongs; undefined for the original. Nodes of other copies are
   * refused.
   */
  readonly copy?: string | undefined;
  readonly timeouts?: Partial<Timeouts>;
  readonly log: Log;
  /** Undefined: refused connections are not counted. */
  readonly metrics?: Metrics;
}

export interface HttpsExchange extends DataExchange {
  /** This node's own registry entry: its key and its endpoint. */
  readonly own: Peer;
}

/** A peer needs about ten concurrent connections; further connections of one key are closed. */
const maxConnectionsPerPeer = 32;
/** The receiver may be busy with its disk while no bytes move; the sender gives up first. */
const maxServerSilenceMs = 600_000;

/**
 * Opens the data exchange over HTTPS with mutual TLS, one listener and kept-alive connections. Binds the port at once;
 * no peer is admitted yet.
 *
 * @throws Error if the port is not available, or key and certificate do not match
 */
export async function openHttpsExchange(options: HttpsExchangeOptions): Promise<HttpsExchange> {
  const { host, port, key, certificate, log } = options;
  const timeouts = { ...defaultTimeouts, ...options.timeouts };
  const refuse = createRefusals({ log, metrics: options.metrics });
  const protocol = protocolOf(options.copy);
  const guests = createGuests(refuse, protocol);
  const connections = createConnections({ key, certificate, protocol, connectMs: timeouts.connectMs });
  let receiver: PeerReceiver | undefined;
  const listener = await openListener({
    host,
    port,
    rules: { hosts: [], anyHost: true, origins: [], contentTypes: peerContentTypes },
    middleware: [createPeerApi({ receiver: () => receiver, senderOf: guests.senderOf, idleMs: timeouts.idleMs, log })],
    secure: {
      key,
      certificate,
      protocol,
      accept: guests.accept,
      failed: failedBy(refuse),
      maxSilenceMs: maxServerSilenceMs,
    },
    log,
  });
  const closed = new AbortController();
  const client = createClient(connections, timeouts, closed.signal);
  return {
    ...client,
    own: { publicKeyHash: publicKeyHashOf(certificate), endpoint: options.advertise ?? listener.url },

    async listen(own) {
      assert(!closed.signal.aborted, 'a closed end of the data exchange does not listen');
      assert(receiver === undefined, 'one receiver at a time');
      receiver = own;
    },

    admit(publicKeyHashes) {
      guests.admit(publicKeyHashes);
      connections.keep((publicKeyHash) => publicKeyHashes.has(publicKeyHash));
    },

    async close() {
      closed.abort();
      guests.admit(new Set());
      connections.keep(() => false);
      await listener.close(0);
    },
  };
}

function failedBy(refuse: ReturnType<typeof createRefusals>): (error: Error) => void {
  return (error) => {
    const reason = reasonOf(error);
    if (reason !== undefined) refuse(reason, undefined);
  };
}

/** Tracks the connections to this node by the key that each has proved. */
function createGuests(refuse: ReturnType<typeof createRefusals>, protocol: string) {
  const sockets = new Map<string, Set<TLSSocket>>();
  const senders = new WeakMap<object, string>();
  let admitted: ReadonlySet<string> = new Set();

  return {
    accept(socket: TLSSocket): boolean {
      const peer = peerOf(socket);
      const known = sockets.get(peer ?? '') ?? new Set();
      if (peer === undefined) {
        refuse('no_certificate', undefined);
        return false;
      }
      if (!speaks(socket, protocol)) {
        refuse('other_copy', peer);
        return false;
      }
      if (!admitted.has(peer) || known.size >= maxConnectionsPerPeer) {
        refuse(admitted.has(peer) ? 'too_many_connections' : 'unknown_key', peer);
        return false;
      }
      sockets.set(peer, known.add(socket));
      senders.set(socket, peer);
      socket.once('close', () => {
        known.delete(socket);
        if (known.size === 0 && sockets.get(peer) === known) sockets.delete(peer);
      });
      return true;
    },

    senderOf({ socket }: IncomingMessage): string {
      const sender = senders.get(socket);
      assert(sender !== undefined, 'no request comes over a connection that was not accepted');
      return sender;
    },

    admit(publicKeyHashes: ReadonlySet<string>): void {
      admitted = new Set(publicKeyHashes);
      for (const [peer, known] of sockets) {
        if (!admitted.has(peer)) for (const socket of known) socket.destroy();
      }
    },
  };
}

function createClient(
  connections: Connections,
  { silenceMs }: Timeouts,
  closed: AbortSignal,
): Pick<DataExchange, 'send' | 'sendBlob' | 'request'> {
  type Message = Pick<PeerRequest, 'method' | 'contentType' | 'sizeBytes' | 'body' | 'signal'>;

  async function exchange(peer: Peer, traffic: Traffic, path: string, message: Message): Promise<PeerReply> {
    message.signal?.throwIfAborted();
    if (closed.aborted) throw new PeerError('This end of the data exchange is closed.');
    const url = urlOf(peer, path);
    return requestPeer({ ...message, url, agent: connections.agent(peer, traffic), silenceMs });
  }

  return {
    async send(peer, envelope, signal) {
      const message = posted(envelope, signal);
      const { sizeBytes } = message;
      if (sizeBytes > maxEnvelopeBytes) return { status: 'refused', reason: `${sizeBytes} bytes are too many.` };
      return finalAnswer(await exchange(peer, 'envelopes', '/envelopes', message));
    },

    async sendBlob(peer, offer, read, signal) {
      const { hash, source, sizeBytes } = offer;
      const asked = posted(textOf({ hash, size: sizeBytes, source }), signal);
      const answer = readAnswer(textIn(await exchange(peer, 'blobs', '/blobs', asked)));
      if (answer.status !== 'wanted') return answer;
      const { start } = answer;
      const leftBytes = sizeBytes - start;
      if (start < 0 || leftBytes < 0) throw new PeerError(`The peer asks for byte ${start} of ${sizeBytes}.`);
      const message = { method: 'PUT', contentType: 'application/octet-stream', sizeBytes: leftBytes, signal } as const;
      const path = `/blobs/${hash}?source=${source}&size=${sizeBytes}&start=${start}`;
      return finalAnswer(await exchange(peer, 'blobs', path, { ...message, body: exactly(read(start), leftBytes) }));
    },

    async request(peer, hash, signal) {
      const reply = await exchange(peer, 'envelopes', '/requests', posted(textOf({ hash }), signal));
      return reply.status === 404 ? unknownRequest : finalAnswer(reply);
    },
  };
}

function posted(json: string, signal: AbortSignal | undefined) {
  const body = Buffer.from(json);
  return { method: 'POST', contentType: 'application/json', sizeBytes: body.length, body, signal } as const;
}

/** Versions before such requests serve other paths alone. */
const unknownRequest: PeerAnswer = { status: 'later', reason: 'its version cannot be asked for a batch; upgrade it' };

/** Builds the URL; members choose their endpoints themselves. @throws PeerError if it is not an HTTPS address */
function urlOf({ endpoint }: Peer, path: string): URL {
  const { protocol, username, password } = URL.canParse(endpoint) ? new URL(endpoint) : { protocol: '' };
  if (protocol === 'https:' && !username && !password) return new URL(path, endpoint);
  throw new PeerError('The address of the peer is not that of an HTTPS server.');
}

function finalAnswer(reply: PeerReply): PeerAnswer {
  return reply.status === 413
    ? { status: 'refused', reason: 'It is too large for the peer.' }
    : readFinalAnswer(textIn(reply));
}

function textIn({ status, text }: PeerReply): string {
  if (status !== 200) throw new PeerError(`The peer answered ${status}.`);
  return text;
}
