import { DeliveredEvent } from '../wire/event.js';
import { EventBatch } from '../wire/event-batch.js';
import { ChangesFrame, ProtocolError } from '../wire/frame.js';
import { textOf } from '../wire/json.js';
import { read } from '../wire/json-reader.js';
import { refusal } from './client.js';
import { createDeliveries, type Deliveries, type EventItem } from './deliveries.js';
import { UnreachableError } from './errors.js';
import { type Connection, connect, type OpenSocket, type SocketEnd } from './socket.js';

export type StreamOptions = ConnectionOptions & (EphemeralOptions | DurableOptions);

interface ConnectionOptions {
  /** The node's HTTP address. */
  readonly url: string;
  readonly namespace: string;
  readonly openSocket: OpenSocket;
  /**
   * Whether a connection that cannot be made, or breaks, is tried again: also the first one, only later ones, never.
   */
  readonly retry: 'always' | 'later' | 'never';
  /**
   * When an event is acknowledged: when the next item is asked for (the default), or when its `acknowledge` is called.
   */
  readonly acknowledges?: 'reading' | 'calling';
  readonly signal?: AbortSignal | undefined;
}

/** A subscription that lasts as long as its reader. */
interface EphemeralOptions {
  readonly name?: undefined;
  /** Regular expressions (RE2) by key, such as `events` or `message.tag`; all must match (S §10.4). */
  readonly filters?: Readonly<Record<string, string>>;
  /** Finds out where to begin, once, before the first connection. Default: newest. */
  readonly start?: (() => Promise<Start>) | undefined;
  /** Whether the stream also says where something new is that no event has told of. */
  readonly changes?: boolean;
}

/** A subscription of the node, which knows how far it is. */
interface DurableOptions {
  readonly name: string;
}

/** The sequence of the last event that counts as seen, all of the past, or nothing of it. */
export type Start = number | 'oldest' | 'newest';

export type StreamItem =
  | { readonly kind: 'open' }
  | EventItem
  | ChangesItem
  | { readonly kind: 'lost'; readonly reason: string; readonly retryMs: number }
  /** Connected again; `behind` is the sequence of the last event that was handed out, or where the stream began. */
  | { readonly kind: 'reopen'; readonly behind: Start };

/** Collections of the namespace may have rows that no event has told of. */
export interface ChangesItem {
  readonly kind: 'changes';
  readonly collections: readonly string[];
}

const firstRetryMs = 100;
const maxRetryMs = 5_000;
/** Events that the node sends ahead of the acknowledgements: enough to keep a local consumer busy, little to hold. */
const readAhead = 50;

/**
 * The events of a subscription in order (S §11), each once: after a lost connection an ephemeral one goes on behind the
 * last event that was handed out, a durable one behind what was acknowledged. A slow reader slows the node's delivery
 * and holds no more than the read-ahead. Ends when the signal is aborted. When the reader leaves, what it acknowledged
 * has been sent.
 *
 * With no `start` and before its first event, an ephemeral one misses what happens while it is not connected.
 *
 * @throws ClientError when the node refuses the subscription, or ends it; UnreachableError when a connection is not to
 *   be tried again; whatever `start` throws
 */
export async function* events(options: StreamOptions): AsyncGenerator<StreamItem, void, undefined> {
  const deliveries = createDeliveries();
  let start: Start | undefined;
  let hasBeenOpen = false;
  for (let retryMs = firstRetryMs; ; retryMs = Math.min(retryMs * 2, maxRetryMs)) {
    let end: SocketEnd;
    try {
      start ??= await startOf(options);
      const position = deliveries.lastSequence() ?? start;
      const opened = (): StreamItem => {
        retryMs = firstRetryMs;
        if (hasBeenOpen) return { kind: 'reopen', behind: position };
        hasBeenOpen = true;
        return { kind: 'open' };
      };
      end = yield* oneConnection(options, streamUrl(options, position), { deliveries, opened });
    } catch (error) {
      if (!(error instanceof UnreachableError) || !triesAgain(options, hasBeenOpen)) throw error;
      end = { text: error.message };
    }
    if (isAborted(options)) return;
    yield { kind: 'lost', reason: judgeEnd(end, options, hasBeenOpen), retryMs };
    await pause(retryMs, options.signal);
    if (isAborted(options)) return;
  }
}

async function startOf(options: StreamOptions): Promise<Start> {
  return options.name === undefined && options.start !== undefined ? options.start() : 'newest';
}

interface Progress {
  readonly deliveries: Deliveries;
  /** What to say of an open connection. */
  readonly opened: () => StreamItem;
}

/** Everything that one connection brings; returns how it ended. */
async function* oneConnection(
  options: StreamOptions,
  url: string,
  { deliveries, opened }: Progress,
): AsyncGenerator<StreamItem, SocketEnd, undefined> {
  const connection = connect(options.openSocket, url, options.signal);
  try {
    for (;;) {
      const happening = await connection.next();
      if (happening === 'opened') yield opened();
      else if ('end' in happening) return happening.end;
      else {
        for (const came of readFrame(happening.text, connection)) {
          if ('kind' in came) {
            yield came;
            continue;
          }
          const { event, text, tell } = came;
          const item = deliveries.take(event, text, tell);
          if (item === undefined) continue;
          yield item;
          if (options.acknowledges !== 'calling') item.acknowledge();
        }
      }
    }
  } finally {
    await connection.close();
  }
}

function isAborted({ signal }: StreamOptions): boolean {
  return signal?.aborted === true;
}

/** What to say about a connection that may be tried again. @throws ClientError, UnreachableError when it may not */
function judgeEnd(end: SocketEnd, options: StreamOptions, hasBeenOpen: boolean): string {
  const { status } = end;
  if (status !== undefined && status >= 400 && status < 500) throw refusal({ status, text: end.body ?? '' });
  if (triesAgain(options, hasBeenOpen)) return end.text;
  throw new UnreachableError(options.url, new Error(end.text));
}

function triesAgain({ retry }: StreamOptions, hasBeenOpen: boolean): boolean {
  return retry === 'always' || (retry === 'later' && hasBeenOpen);
}

function streamUrl(options: StreamOptions, position: Start): string {
  const query = new URLSearchParams({ namespace: options.namespace });
  if (options.name === undefined) {
    query.set('ephemeral', 'true');
    query.set('readahead', String(readAhead));
    if (options.changes === true) query.set('changes', 'true');
    if (position !== 'newest') query.set('firstEvent', String(position));
    for (const [key, expression] of Object.entries(options.filters ?? {})) query.set(`filter.${key}`, expression);
  } else query.set('name', options.name);
  return `${options.url.replace(/^http/, 'ws').replace(/\/+$/, '')}/ws?${query.toString()}`;
}

interface Came {
  readonly event: DeliveredEvent;
  readonly text: string;
  /** Acknowledges it; of a batch, the last one does. */
  readonly tell: () => void;
}

// The node writes its frames along these schemas; the type says which.
function readFrame(text: string, connection: Connection): readonly (Came | ChangesItem)[] {
  const event = read(text, DeliveredEvent).value as DeliveredEvent;
  const type: string = event.type;
  if (type === 'protocol_error') {
    const { error } = read(text, ProtocolError).value as ProtocolError;
    throw refusal({ status: 400, text: textOf({ error }) });
  }
  if (type === 'changes') {
    const { collections } = read(text, ChangesFrame).value as ChangesFrame;
    return [{ kind: 'changes', collections }];
  }
  const { id, subscription } = event;
  const tell = () => {
    connection.send(textOf({ type: 'ack', id, subscription: { id: subscription.id } }));
  };
  if (type !== 'event_batch') return [{ event, text, tell }];
  const batch = read(text, EventBatch).value as EventBatch;
  const waiting = new Set(batch.events);
  return batch.events.map((each) => ({
    event: read(each, DeliveredEvent).value as DeliveredEvent,
    text: each,
    tell: () => {
      if (waiting.delete(each) && waiting.size === 0) tell();
    },
  }));
}

/** Resolves after `ms` milliseconds, or at once when the signal is aborted. */
function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) {
      resolve();
      return;
    }
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener('abort', done);
  });
}
