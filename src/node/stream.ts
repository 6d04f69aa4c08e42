import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { refuseUpgrade } from '../http/listener.js';
import type { Delivery } from '../pipeline/deliver/delivery.js';
import type { Clock } from '../ports/clock.js';
import type { Log } from '../ports/log.js';
import { isServiceError, ServiceError } from '../wire/error.js';
import type { Access } from './access.js';
import { attendSocket, createSubscriber } from './socket.js';
import { readStreamRequest } from './stream-query.js';

export interface StreamParts {
  readonly delivery: Delivery;
  /** What the caller of a handshake may use: for its query, and for the frames of its socket. */
  readonly resolverFor: Access['resolverFor'];
  readonly clock: Clock;
  readonly log: Log;
}

/** The event streams of a node. */
export interface Streams {
  /** Takes a WebSocket handshake that has passed the gate. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Tells every client that the node is going away, and ends. */
  stop(): Promise<void>;
}

const maxFrameBytes = 64 * 1024;
const maxSockets = 1_000;
const goingAway = 1001;

/** WebSockets of S §11: an ephemeral subscription each, acknowledged by the client or by itself. */
export function createStreams({ delivery, resolverFor, clock, log }: StreamParts): Streams {
  const server = new WebSocketServer({ noServer: true, maxPayload: maxFrameBytes, perMessageDeflate: false });
  const stopping = new AbortController();

  async function open(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const wanted = readStreamRequest(request.url ?? '/');
    const namespace = resolverFor(request)(wanted.namespace);
    if (stopping.signal.aborted) throw new ServiceError('stopping', { what: 'The node is stopping' });
    if (server.clients.size >= maxSockets)
      throw new ServiceError('stopping', { what: `All ${maxSockets} sockets are taken` });
    const opened = createDeferred<WebSocket | undefined>();
    const subscriber = createSubscriber(opened.promise, clock);
    // The start is fixed before the handshake is answered: whatever the client does after "open" is delivered (S
    // §11.1).
    const { filter, isAutoack, readAhead } = wanted;
    const attachment = await delivery.subscribe({ namespace, filter, pace: { readAhead }, isAutoack, subscriber });
    socket.once('close', () => {
      opened.resolve(undefined);
      void attachment.close();
    });
    server.handleUpgrade(request, socket, head, (client) => {
      attendSocket({ client, attachment, isAutoack, clock, log });
      opened.resolve(client);
    });
  }

  return {
    upgrade(request, socket, head) {
      open(request, socket, head).catch((error: unknown) => {
        if (!isServiceError(error)) log.error('An event stream failed to open through a defect', { error });
        refuseUpgrade(socket, isServiceError(error) ? error : new ServiceError('internal', { request: 'upgrade' }));
      });
    },
    async stop() {
      stopping.abort();
      for (const client of server.clients) client.close(goingAway, 'the node is stopping');
      await new Promise<void>((resolve) => {
        server.close(() => {
          resolve();
        });
      });
    },
  };
}

function createDeferred<T>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
