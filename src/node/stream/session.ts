import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { Delivery } from '../../pipeline/deliver/delivery.js';
import type { Clock } from '../../ports/clock.js';
import type { Log } from '../../ports/log.js';
import type { Subscriber } from '../../ports/subscriber.js';
import { ChangesFrame, frameErrors, ProtocolError } from '../../wire/frame.js';
import { write } from '../../wire/json.js';
import type { NamespaceResolver } from '../access.js';
import { attend } from './attend.js';
import type { ChangeListener } from './changes.js';
import { createFrames, type Frames } from './frames.js';
import { createInbox } from './inbox.js';
import { createOutflow, type Outflow, type TextSink } from './outflow.js';
import { type Budget, createStarted, type Started } from './started.js';

export interface SessionParts {
  /** Who is at the other end. */
  readonly caller: Caller;
  readonly delivery: Delivery;
  readonly resolveNamespace: NamespaceResolver;
  /** The only namespace of this socket, if its path names one. */
  readonly scope: string | undefined;
  /** As the handshake has it; undefined = it does not say. */
  readonly isAutoack: boolean | undefined;
  /** The namespace in which the client hears of rows that have no event yet; undefined when it does not ask. */
  readonly watched: Watched | undefined;
  readonly budget: Budget;
  readonly clock: Clock;
  readonly log: Log;
}

export interface Watched {
  readonly namespace: string;
  readonly watch: (listener: ChangeListener) => () => void;
}

export interface Caller {
  readonly id: string;
  /** `address:port` */
  readonly remoteAddress: string;
  readonly userAgent: string;
}

/** One socket from its handshake to its end, with its subscriptions. */
export interface Session {
  readonly caller: Caller;
  readonly scope: string | undefined;
  readonly started: Pick<Started, 'list'>;
  /** Begins what the query asks for, before the handshake is answered. @throws ServiceError streams_full, not_found */
  readonly begin: Frames['begin'];
  /** The handshake is answered: from now on events go out and frames come in. */
  open(client: WebSocket, socket: Duplex): void;
  /** The connection is gone: what is not acknowledged goes to others. */
  lost(): void;
  /** Says goodbye because the node is about to stop. */
  goAway(): void;
}

const policyViolation = 1008;
const goingAway = 1001;
const internalError = 1011;

/** A socket whose handshake has not been answered yet. */
export function createSession(parts: SessionParts): Session {
  const { caller, delivery, scope, budget, clock, log } = parts;
  const ended = new AbortController();
  const outflow = createOutflow(clock);
  let client: WebSocket | undefined;
  /** What the client is to be told before the socket closes. */
  let refusal: string | undefined;

  const subscriber: Subscriber = {
    deliver: ({ text }) => outflow.put(text),
    end() {
      refuse(frameErrors.not_active);
    },
  };
  const started = createStarted({ delivery, subscriber, clock, budget });
  const frames = createFrames({ ...parts, started });

  /** Subscriptions first: nothing that is dropped here may count as handed over. */
  function lost(): void {
    ended.abort();
    started.close();
    outflow.close();
  }

  function refuse(error: string): void {
    if (ended.signal.aborted) return;
    refusal = error;
    lost();
    if (client !== undefined) tell(client, error);
  }

  function fail(error: unknown): void {
    log.error('A frame could not be worked on through a defect', { socket: caller.id, error });
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
    scope,
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
      attend({ client: opened, receive, stalledSinceMs: outflow.stalledSinceMs, lost, clock, signal: ended.signal });
      outflow.open(sinkOf(opened, socket));
      if (parts.watched !== undefined) tellChanges(parts.watched, outflow, ended.signal);
    },
    goAway() {
      lost();
      client?.close(goingAway, 'the node is stopping');
    },
  };
}

/** Sends what has changed, gathered while the client has no room for it. */
function tellChanges({ namespace, watch }: Watched, outflow: Outflow, signal: AbortSignal): void {
  const waiting = new Set<string>();
  const text = (): string => {
    const collections = [...waiting];
    waiting.clear();
    return write(ChangesFrame, { type: 'changes', namespace, collections });
  };
  const unwatch = watch((collection) => {
    if (waiting.size === 0) {
      waiting.add(collection);
      void outflow.put(text);
    } else waiting.add(collection);
  });
  signal.addEventListener('abort', unwatch, { once: true });
}

function sinkOf(client: WebSocket, socket: Duplex): TextSink {
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

/** The code alone is the reason of the closing frame, which has room for no more. */
function tell(client: WebSocket, error: string): void {
  client.send(write(ProtocolError, { type: 'protocol_error', error }));
  client.close(policyViolation, error.split(':', 1)[0]);
}
