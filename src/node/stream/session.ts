import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { Delivery } from '../../pipeline/deliver/delivery.js';
import type { Clock } from '../../ports/clock.js';
import type { Log } from '../../ports/log.js';
import type { Subscriber } from '../../ports/subscriber.js';
import { ChangesFrame, frameErrors, ProtocolError } from '../../wire/events/frame.js';
import { write } from '../../wire/json/json.js';
import type { NamespaceResolver } from '../requests/access.js';
import { attend } from './attend.js';
import type { ChangeListener } from './changes.js';
import { createFrames, type Frames } from './frames.js';
import { createInbox } from './inbox.js';
import { createSendBuffer, type SendBuffer, type TextSink } from './send-buffer.js';
import { type SubscriptionBudget, createStarted, type Started } from './started.js';

export interface SessionParts {
  /** The client of the socket, as it is listed and logged. */
  readonly caller: SocketClient;
  readonly delivery: Delivery;
  readonly resolveNamespace: NamespaceResolver;
  /** The only namespace of this socket, if its path names one. */
  readonly scope: string | undefined;
  readonly home: string;
  /** As given by the handshake; undefined = not given. */
  readonly isAutoack: boolean | undefined;
  /** The namespace in which the client gets change notifications; undefined if it did not request them. */
  readonly watched: Watched | undefined;
  /** Called with its namespace when a subscription has started. */
  readonly onStarted: (namespace: string) => void;
  readonly budget: SubscriptionBudget;
  readonly clock: Clock;
  readonly log: Log;
}

export interface Watched {
  readonly namespace: string;
  readonly watch: (listener: ChangeListener) => () => void;
}

export interface SocketClient {
  readonly id: string;
  /** `address:port` */
  readonly remoteAddress: string;
  readonly userAgent: string;
}

/** One socket from its handshake until it closes, with its subscriptions. */
export interface Session {
  readonly caller: SocketClient;
  /** The namespace that lists the socket while nothing has started on it. */
  readonly home: string;
  readonly started: Pick<Started, 'list'>;
  /**
   * Starts the subscription of the query, before the handshake is answered. @throws ServiceError streams_full,
   * not_found
   */
  readonly begin: Frames['begin'];
  /** Starts sending events and receiving frames, after the handshake. */
  open(client: WebSocket, socket: Duplex): void;
  /** Ends the session of a lost connection: unacknowledged events go to others. */
  lost(): void;
  /** Closes the socket because the node is stopping. */
  goAway(): void;
}

const policyViolation = 1008;
const goingAway = 1001;
const internalError = 1011;

/** Creates the session of a socket whose handshake has not been answered yet. */
export function createSession(parts: SessionParts): Session {
  const { caller, home, delivery, onStarted, budget, clock, log } = parts;
  const ended = new AbortController();
  const sendBuffer = createSendBuffer(clock);
  let client: WebSocket | undefined;
  /** The error to send before the socket closes. */
  let refusal: string | undefined;

  const subscriber: Subscriber = {
    deliver({ text }) {
      // A client that has sent a close frame receives nothing more, but its connection may stay open for long.
      if (client === undefined || client.readyState === client.OPEN) return sendBuffer.put(text);
      lost();
      return undefined;
    },
    end() {
      refuse(frameErrors.not_active);
    },
  };
  const started = createStarted({ delivery, subscriber, clock, budget, onStarted });
  const frames = createFrames({ ...parts, started });

  /** Subscriptions are closed first, so that frames dropped here do not count as delivered. */
  function lost(): void {
    ended.abort();
    started.close();
    sendBuffer.close();
  }

  function refuse(error: string): void {
    if (ended.signal.aborted) return;
    refusal = error;
    lost();
    if (client !== undefined) tell(client, error);
  }

  function fail(error: unknown): void {
    log.error('A frame could not be handled because of a defect', { socket: caller.id, error });
    lost();
    client?.close(internalError, 'a defect of the node, which is in its log');
  }

  const receive = createInbox({
    receive: (message) => (ended.signal.aborted ? undefined : frames.receive(message)),
    refuse,
    fail,
    pause: () => client?.pause(),
    resume: () => client?.resume(),
  });

  return {
    caller,
    home,
    started,
    begin: frames.begin,
    lost,
    open(opened, socket) {
      client = opened;
      opened.on('error', (error) => {
        log.debug('A socket broke', { socket: caller.id, error });
        lost();
      });
      opened.once('close', lost);
      if (refusal !== undefined) tell(opened, refusal);
      if (ended.signal.aborted) return;
      attend({ client: opened, receive, stalledSinceMs: sendBuffer.stalledSinceMs, lost, clock, signal: ended.signal });
      sendBuffer.open(sinkOf(opened, socket));
      if (parts.watched !== undefined) tellChanges(parts.watched, sendBuffer, ended.signal);
    },
    goAway() {
      lost();
      client?.close(goingAway, 'the node is stopping');
    },
  };
}

/** Sends change notifications, combined while the client has no room for them. */
function tellChanges({ namespace, watch }: Watched, sendBuffer: SendBuffer, signal: AbortSignal): void {
  const waiting = new Set<string>();
  const text = (): string => {
    const collections = [...waiting];
    waiting.clear();
    return write(ChangesFrame, { type: 'changes', namespace, collections });
  };
  const unwatch = watch((collection) => {
    if (waiting.size === 0) {
      waiting.add(collection);
      void sendBuffer.put(text);
    } else waiting.add(collection);
  });
  signal.addEventListener('abort', unwatch, { once: true });
}

/** The part of a socket that a send buffer uses. */
export function sinkOf(client: WebSocket, socket: Duplex): TextSink {
  return {
    send: (text, taken) => {
      client.send(text, { binary: false }, taken);
    },
    cork: () => {
      socket.cork();
    },
    uncork: () => {
      socket.uncork();
    },
  };
}

/** Sends a protocol error; the close frame has room only for its code. */
export function tell(client: WebSocket, error: string): void {
  client.send(write(ProtocolError, { type: 'protocol_error', error }));
  client.close(policyViolation, error.split(':', 1)[0]);
}
