import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Socket } from 'node:net';
import { toServiceError } from '../http/answers/errors.js';
import { refuseSocket } from '../http/answers/raw-refusal.js';
import type { Bus } from '../pipeline/bus.js';
import type { Delivery } from '../pipeline/deliver/delivery.js';
import type { Clock } from '../ports/clock.js';
import type { Reader } from '../ports/database.js';
import type { Log } from '../ports/log.js';
import type { Random } from '../ports/random.js';
import { ServiceError } from '../wire/errors/error.js';
import type { CollectionName } from '../wire/lists/fields.js';
import type { Access, NamespaceResolver } from './requests/access.js';
import { type ChangeListener, createChanges } from './stream/changes.js';
import { inScope } from './stream/frames.js';
import { readStreamPath, readStreamQuery } from './stream/query.js';
import { createSession, type Session } from './stream/session.js';
import { createSocketServer, stopping, untilGone } from './stream/socket-server.js';
import { readStart } from './stream/start.js';
import type { SubscriptionBudget } from './stream/started.js';

export interface StreamParts {
  readonly bus: Bus;
  readonly database: Reader;
  readonly delivery: Delivery;
  /** Returns the rights of a handshake's caller, for its query and for the frames of its socket. */
  readonly resolverFor: Access['resolverFor'];
  /** The namespace of a handshake that names none. */
  readonly fallback: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

/** The event streams of a node. */
export interface Streams {
  /** Takes a WebSocket handshake that has passed the gate. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Every open socket, and every one in its handshake. */
  sessions(): readonly Session[];
  /** Notifies the clients that ask for changes of a namespace: one of its collections is not as before. */
  changed(namespace: string, collection: CollectionName): void;
  /** Tells every client that the node is stopping, and closes. */
  stop(): Promise<void>;
}

const maxSockets = 1_000;
const maxSubscriptions = 10_000;

/**
 * Creates the WebSockets of docs/api.md §15: each with one subscription from its handshake, or those that its frames
 * start.
 */
export function createStreams(parts: StreamParts): Streams {
  const { delivery, resolverFor, fallback, clock, random, log } = parts;
  const server = createSocketServer();
  const sessions = new Set<Session>();
  const budget = createSubscriptionBudget();
  const changes = createChanges(parts);
  let isStopping = false;

  async function open(request: IncomingMessage, socket: Socket, head: Buffer): Promise<void> {
    /** The namespaces whose watchers know of the socket. */
    const shownIn = new Set<string>();
    const show = (name: string): void => {
      shownIn.add(name);
      changes.changed(name, 'subscriptions');
    };
    const { session, start, namespace } = welcome(request, socket, show);
    const leave = (): void => {
      sessions.delete(session);
      session.lost();
      for (const name of shownIn) changes.changed(name, 'subscriptions');
    };
    sessions.add(session);
    socket.once('close', leave);
    try {
      // The start is fixed before the handshake is answered, so that events after "open" are delivered (docs/api.md
      // §15.1).
      if (start !== undefined) await session.begin(start);
      if (isStopping) throw stopping();
      server.handleUpgrade(request, socket, head, (client) => {
        session.open(client, socket);
        if (namespace !== undefined) show(namespace);
      });
    } catch (error) {
      leave();
      throw error;
    }
  }

  /** Checks a handshake. @throws ServiceError for an invalid request, and at the limit of sockets */
  function welcome(request: IncomingMessage, socket: Socket, onStarted: (namespace: string) => void) {
    const resolveNamespace = resolverFor(request);
    const { scope, namespace, isAutoack, wantsChanges, start } = readHandshake(request.url ?? '/', resolveNamespace);
    if (isStopping) throw stopping();
    if (sessions.size >= maxSockets)
      throw new ServiceError('streams_full', { what: 'sockets of this node', max: maxSockets });
    const caller = { id: random.uuid(), ...addressOf(socket), userAgent: request.headers['user-agent'] ?? '' };
    const watch = (listener: ChangeListener) => changes.watch(namespace ?? '', listener);
    const watched = wantsChanges && namespace !== undefined ? { namespace, watch } : undefined;
    const session = createSession({
      caller,
      delivery,
      resolveNamespace,
      scope,
      home: namespace ?? fallback,
      isAutoack,
      watched,
      onStarted,
      budget,
      clock,
      log,
    });
    return { session, start, namespace };
  }

  return {
    upgrade(request, socket, head) {
      open(request, request.socket, head).catch((thrown: unknown) => {
        refuseSocket(socket, toServiceError(thrown, random.uuid(), log));
      });
    },
    sessions: () => [...sessions],
    changed: changes.changed,
    async stop() {
      isStopping = true;
      for (const session of sessions) session.goAway();
      await untilGone(server, clock);
      await changes.stop();
    },
  };
}

/** Parses the target of a handshake. @throws ServiceError for a wrong parameter */
function readHandshake(target: string, resolveNamespace: NamespaceResolver) {
  const named = readStreamPath(target);
  const scope = named === undefined ? undefined : resolveNamespace(named);
  const { namespace: asked, isAutoack, wantsChanges, start: given } = readStreamQuery(target);
  // A client whose query starts nothing names namespaces in frames, and may have no right to the default one.
  const isSilent = asked === undefined && given === undefined && !wantsChanges;
  const namespace = scope !== undefined ? inScope(asked, scope) : isSilent ? undefined : resolveNamespace(asked);
  const start = given === undefined || namespace === undefined ? undefined : readStart({ ...given, namespace });
  return { scope, namespace, isAutoack, wantsChanges, start };
}

function createSubscriptionBudget(): SubscriptionBudget {
  let taken = 0;
  return {
    take() {
      if (taken >= maxSubscriptions) {
        throw new ServiceError('streams_full', { what: 'subscriptions of all sockets', max: maxSubscriptions });
      }
      taken += 1;
    },
    give() {
      taken -= 1;
    },
  };
}

function addressOf({ remoteAddress = '', remotePort = 0 }: Socket): { readonly remoteAddress: string } {
  const host = remoteAddress.includes(':') ? `[${remoteAddress}]` : remoteAddress;
  return { remoteAddress: `${host}:${remotePort}` };
}
