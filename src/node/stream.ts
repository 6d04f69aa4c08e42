import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type RawData, WebSocket, WebSocketServer } from 'ws';
import { refuseUpgrade } from '../http/listener.js';
import type { Delivery, Subscription } from '../pipeline/deliver/deliver.js';
import type { Clock } from '../ports/clock.js';
import type { Log } from '../ports/log.js';
import type { Subscriber } from '../ports/subscriber.js';
import { check } from '../wire/check.js';
import { ServiceError } from '../wire/error.js';
import { ClientFrame, frameErrors, ProtocolError } from '../wire/frame.js';
import { write } from '../wire/json.js';
import { read } from '../wire/json-reader.js';
import { readStreamRequest } from './stream-query.js';

export interface StreamParts {
  readonly delivery: Delivery;
  /** The namespace that a name means. @throws ServiceError unknown_namespace */
  readonly resolveNamespace: (name: string | undefined) => string;
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
/** Above it a consumer that does not read is waited for. */
const maxBufferedBytes = 8 * 1024 * 1024;
const maxStallMs = 60_000;
const pingEveryMs = 30_000;
const closing = { goingAway: 1001, policyViolation: 1008 } as const;

/** WebSockets of S §11: an ephemeral subscription each, acknowledged by the client or by itself. */
export function createStreams({ delivery, resolveNamespace, clock, log }: StreamParts): Streams {
  const server = new WebSocketServer({ noServer: true, maxPayload: maxFrameBytes, perMessageDeflate: false });
  const stopping = new AbortController();

  async function open(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const wanted = readStreamRequest(request.url ?? '/');
    const namespace = resolveNamespace(wanted.namespace);
    if (stopping.signal.aborted) throw new ServiceError('stopping', { what: 'The node is stopping' });
    if (server.clients.size >= maxSockets)
      throw new ServiceError('stopping', { what: `All ${maxSockets} sockets are taken` });
    const opened = createDeferred<WebSocket | undefined>();
    const subscriber = createSubscriber(opened.promise, clock);
    // The start is fixed before the handshake is answered: whatever the client does after "open" is delivered (S §11.1).
    const subscription = await delivery.subscribe({ ...wanted, namespace, subscriber });
    socket.once('close', () => {
      opened.resolve(undefined);
      void subscription.close();
    });
    server.handleUpgrade(request, socket, head, (client) => {
      attend(client, subscription, wanted.isAutoack);
      opened.resolve(client);
    });
  }

  function attend(client: WebSocket, subscription: Subscription, isAutoack: boolean): void {
    let isAlive = true;
    client.on('pong', () => (isAlive = true));
    client.on('error', (error) => {
      log.debug('A socket broke', { subscription: subscription.id, error });
    });
    client.on('message', (data, isBinary) => {
      isAlive = true;
      const error = receiveFrame(data, isBinary, subscription, isAutoack);
      if (error !== undefined) refuse(client, error);
    });
    const closed = new AbortController();
    client.once('close', () => {
      closed.abort();
      void subscription.close();
    });
    void keepAlive(client, closed.signal, () => {
      const wasAlive = isAlive;
      isAlive = false;
      return wasAlive;
    });
  }

  /** A socket that is silent for two rounds has lost its other end (assurance B14). */
  async function keepAlive(client: WebSocket, closed: AbortSignal, takeLife: () => boolean): Promise<void> {
    while (!closed.aborted) {
      await clock.sleep(pingEveryMs, closed);
      if (closed.aborted) return;
      if (takeLife()) client.ping();
      else client.terminate();
    }
  }

  return {
    upgrade(request, socket, head) {
      open(request, socket, head).catch((error: unknown) => {
        if (!(error instanceof ServiceError)) log.error('An event stream failed to open through a defect', { error });
        refuseUpgrade(
          socket,
          error instanceof ServiceError ? error : new ServiceError('internal', { request: 'upgrade' }),
        );
      });
    },
    async stop() {
      stopping.abort();
      for (const client of server.clients) client.close(closing.goingAway, 'the node is stopping');
      await new Promise<void>((resolve) => {
        server.close(() => {
          resolve();
        });
      });
    },
  };
}

function createSubscriber(opened: Promise<WebSocket | undefined>, clock: Clock): Subscriber {
  return {
    async send(frame) {
      const client = await opened;
      if (client === undefined) return;
      const flushed = new Promise<void>((resolve) => {
        // An error here means that the socket is gone; its "close" ends the subscription.
        client.send(frame, () => {
          resolve();
        });
      });
      if (client.bufferedAmount > maxBufferedBytes) await untilFlushed(client, flushed, clock);
    },
    close(frame) {
      void opened.then((client) => {
        if (frame !== undefined) client?.send(frame);
        client?.close();
      });
    },
  };
}

/** A consumer that does not read for a minute is let go. */
async function untilFlushed(client: WebSocket, flushed: Promise<void>, clock: Clock): Promise<void> {
  const ended = new AbortController();
  const stalled = clock.sleep(maxStallMs, ended.signal).then(() => {
    if (!ended.signal.aborted) client.terminate();
  });
  await Promise.race([flushed, stalled]);
  ended.abort();
}

/** The error to close with, or undefined. On an autoack stream an acknowledgement is ignored (S §11.2). */
function receiveFrame(
  data: RawData,
  isBinary: boolean,
  subscription: Subscription,
  isAutoack: boolean,
): string | undefined {
  const frame = isBinary ? undefined : parseFrame(String(data));
  if (frame === undefined) return frameErrors.not_json;
  if (frame.type !== 'ack') return frameErrors.unknown_type;
  if (isAutoack) return undefined;
  const isOther = frame.subscription?.id !== undefined && frame.subscription.id !== subscription.id;
  return !isOther && subscription.acknowledge(frame.id) ? undefined : frameErrors.ack_matches_nothing;
}

function parseFrame(text: string): ClientFrame | undefined {
  try {
    const { value } = read(text, ClientFrame);
    return check(ClientFrame, value) ? value : undefined;
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}

function refuse(client: WebSocket, error: string): void {
  client.send(write(ProtocolError, { type: 'protocol_error', error }));
  client.close(closing.policyViolation, error.slice(0, 120));
}

function createDeferred<T>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
