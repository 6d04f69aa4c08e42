import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { toServiceError } from '../../http/answers/errors.js';
import { refuseSocket } from '../../http/answers/raw-refusal.js';
import type { Bus } from '../../pipeline/bus.js';
import type { Clock } from '../../ports/clock.js';
import type { Reader } from '../../ports/database.js';
import type { Log } from '../../ports/log.js';
import type { Random } from '../../ports/random.js';
import { above, every } from '../../ports/tables/where.js';
import { check } from '../../wire/check.js';
import { isServiceError, ServiceError } from '../../wire/errors/error.js';
import { frameErrors, ServiceFrame, ServiceStart } from '../../wire/events/frame.js';
import { decode, write } from '../../wire/json/json.js';
import { read } from '../../wire/json/json-reader.js';
import type { Access } from '../requests/access.js';
import { attend } from './attend.js';
import { createInbox, type Inbound } from './inbox.js';
import { createSendBuffer } from './send-buffer.js';
import { sinkOf, tell } from './session.js';
import { createSocketServer, stopping, untilGone } from './socket-server.js';

export interface FirehoseParts {
  readonly isEnabled: boolean;
  readonly bus: Bus;
  readonly database: Reader;
  readonly access: Pick<Access, 'visibleTo'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

/** The stream for services beside a node: a notification for each new event of all namespaces (docs/api.md §21.4). */
export interface Firehose {
  /** Whether a handshake asks for this stream. */
  takes(request: IncomingMessage): boolean;
  /** Takes a WebSocket handshake that has passed the gate. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Closes every socket because the node is stopping. */
  stop(): Promise<void>;
}

const maxSockets = 100;
const maxPage = 500;
const goingAway = 1001;
const internalError = 1011;

/**
 * Creates the stream at `/spi/ws`. There are no acknowledgements: a client is notified of new events while it is
 * connected.
 */
export function createFirehose(parts: FirehoseParts): Firehose {
  const { isEnabled, database, access, clock, random, log } = parts;
  const server = createSocketServer();
  let isStopping = false;

  async function open(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    if (isStopping) throw stopping();
    if (server.clients.size >= maxSockets) {
      throw new ServiceError('streams_full', { what: 'sockets of services beside this node', max: maxSockets });
    }
    // The start is fixed before the handshake is answered, so that later events are sent.
    const first = await newestSequence(database);
    const visible = access.visibleTo(request);
    server.handleUpgrade(request, socket, head, (client) => serve(parts, { client, socket, visible, first }));
  }

  return {
    takes: ({ url = '' }) => isEnabled && /^\/spi\/ws\/?(?:\?|$)/.test(url),
    upgrade(request, socket, head) {
      open(request, socket, head).catch((thrown: unknown) => {
        refuseSocket(socket, toServiceError(thrown, random.uuid(), log));
      });
    },
    async stop() {
      isStopping = true;
      for (const client of server.clients) client.close(goingAway, 'the node is stopping');
      await untilGone(server, clock);
    },
  };
}

interface Served {
  readonly client: WebSocket;
  readonly socket: Duplex;
  /** The namespaces that its caller may see. */
  readonly visible: readonly string[];
  /** The newest event before the handshake was answered. */
  readonly first: number;
}

/** Serves one socket until it closes. */
function serve({ bus, database, clock, log }: FirehoseParts, { client, socket, visible, first }: Served): void {
  const ended = new AbortController();
  const sendBuffer = createSendBuffer(clock);
  let start: ServiceStart | undefined;

  const lost = (): void => {
    ended.abort();
    sendBuffer.close();
  };
  const fail = (error: unknown): void => {
    log.error('A stream for services ended because of a defect', { error });
    lost();
    client.close(internalError, 'a defect of the node, which is in its log');
  };

  async function follow(signal: AbortSignal): Promise<void> {
    const listening = bus.listen('events');
    try {
      for (let last = first; !signal.aborted;) {
        const next = { namespace: visible, sequence: above(last) };
        const rows = await database.rows('events', next, { limit: maxPage });
        for (const { namespace, id, sequence } of rows) {
          last = sequence;
          if (start === undefined || !wants(start, namespace)) continue;
          const frame = { collection: 'events', type: 'created', namespace, id, sequence } as const;
          await sendBuffer.put(() => write(ServiceFrame, frame));
        }
        if (rows.length < maxPage) await listening.wait(signal);
      }
    } finally {
      listening.close();
    }
  }

  const receive = createInbox({
    receive: (message) => {
      const frame = startOf(message);
      if (frame === undefined) return frameErrors.bad_service_start;
      start = frame;
      return undefined;
    },
    refuse: (error) => {
      lost();
      tell(client, error);
    },
    fail,
    pause: () => client.pause(),
    resume: () => client.resume(),
  });
  client.on('error', lost);
  client.once('close', lost);
  attend({ client, receive, stalledSinceMs: sendBuffer.stalledSinceMs, lost, clock, signal: ended.signal });
  sendBuffer.open(sinkOf(client, socket));
  follow(ended.signal).catch(fail);
}

/** Reads a start frame; undefined for anything else. */
function startOf({ bytes, isBinary }: Inbound): ServiceStart | undefined {
  if (isBinary) return undefined;
  try {
    const { value } = read(decode(bytes), ServiceStart);
    return check(ServiceStart, value) ? value : undefined;
  } catch (error) {
    if (isServiceError(error)) return undefined;
    throw error;
  }
}

/** Whether a client wants the new events of a namespace. An absent or empty list in a filter restricts nothing. */
function wants({ collections, filter }: ServiceStart, namespace: string): boolean {
  const admits = (list: readonly string[] | null | undefined, name: string) =>
    list === null || list === undefined || list.length === 0 || list.includes(name);
  return (
    collections?.includes('events') === true &&
    admits(filter?.types, 'created') &&
    admits(filter?.namespaces, namespace)
  );
}

async function newestSequence(database: Reader): Promise<number> {
  const newest = await database.last('events', { namespace: every });
  return newest?.sequence ?? 0;
}
