import { DeliveredEvent } from '../../wire/events/event.js';
import { EventBatch } from '../../wire/events/event-batch.js';
import { ChangesFrame, ProtocolError } from '../../wire/events/frame.js';
import { textOf } from '../../wire/json/json.js';
import { read } from '../../wire/json/json-reader.js';
import { refusal } from '../client.js';
import { createDeliveries, type Deliveries, type EventItem } from './deliveries.js';
import { UnreachableError } from '../errors.js';
import { type Connection, connect, type OpenSocket, type SocketEnd } from './socket.js';

export type StreamOptions = ConnectionOptions & (EphemeralOptions | DurableOptions);

interface ConnectionOptions {
  /** The node's HTTP address. */
  readonly url: string;
  readonly namespace: string;
  readonly openSocket: OpenSocket;
  /** Which failed or broken connections are retried: all, all but the first, none. */
  readonly retry: 'always' | 'later' | 'never';
  /** Awaited before a connection is repeated. An UnreachableError repeats it later, another error ends the stream. */
  readonly beforeRetry?: (() => Promise<void>) | undefined;
  /**
   * When an event is acknowledged: when the next item is requested (the default), or when its `acknowledge` is called.
   */
  readonly acknowledges?: 'reading' | 'calling';
  readonly signal?: AbortSignal | undefined;
}

/** A subscription that exists as long as its reader. */
interface EphemeralOptions {
  readonly name?: undefined;
  /** Regular expressions (RE2) by key, such as `events` or `message.tag`; all must match (docs/api.md §14.2). */
  readonly filters?: Readonly<Record<string, string>>;
  /** Determines the start position, once, before the first connection. Default: newest. */
  readonly start?: (() => Promise<Start>) | undefined;
  /** Whether the stream also reports changes without an event. */
  readonly changes?: boolean;
  /**
   * How long the node may collect events into one frame, in milliseconds. This saves work at the node and delays events
   * by up to this time. Default: one frame per event.
   */
  readonly gatherMs?: number;
}

/** A durable subscription, whose position the node stores. */
interface DurableOptions {
  readonly name: string;
}

/** A start position: after the event with this sequence, before all events, or after all of them. */
export type Start = number | 'oldest' | 'newest';

export type StreamItem =
  | { readonly kind: 'open' }
  | EventItem
  | ChangesItem
  | { readonly kind: 'lost'; readonly reason: string; readonly retryMs: number }
  /** Reconnected; `after` is the sequence of the last delivered event, or the start position. */
  | { readonly kind: 'reopen'; readonly after: Start };

/** Collections of the namespace may have new rows without an event. */
export interface ChangesItem {
  readonly kind: 'changes';
  readonly collections: readonly string[];
}

const firstRetryMs = 100;
const maxRetryMs = 5_000;
/** How many events the node sends ahead of acknowledgements: enough to keep a local consumer busy. */
const readAhead = 50;
/** The same with `gatherMs`, where one frame at a time is in flight. */
const gatheredReadAhead = 500;

/**
 * Yields the events of a subscription in order (docs/api.md §15), each once. After a lost connection an ephemeral
 * subscription continues after the last delivered event, a durable one after the acknowledged ones. A slow reader slows
 * the node's delivery and buffers at most the read-ahead. Ends when the signal is aborted. When the reader leaves, its
 * acknowledgements have been sent.
 *
 * Without `start`, and before its first event, an ephemeral subscription misses events while it is not connected.
 *
 * @throws ClientError if the node refuses or ends the subscription; UnreachableError if a failed connection is not to
 * be retried; any error of `start` and `beforeRetry`
 */
export async function* events(options: StreamOptions): AsyncGenerator<StreamItem, void, undefined> {
  const deliveries = createDeliveries();
  let start: Start | undefined;
  let hasBeenOpen = false;
  let isRetry = false;
  for (let retryMs = firstRetryMs; ; retryMs = Math.min(retryMs * 2, maxRetryMs)) {
    let end: SocketEnd;
    try {
      if (isRetry) await options.beforeRetry?.();
      start ??= await startOf(options);
      if (start === undefined) return;
      const position = deliveries.lastSequence() ?? start;
      const opened = (): StreamItem => {
        retryMs = firstRetryMs;
        if (hasBeenOpen) return { kind: 'reopen', after: position };
        hasBeenOpen = true;
        return { kind: 'open' };
      };
      end = yield* oneConnection(options, streamUrl(options, position), { deliveries, opened });
    } catch (error) {
      if (!(error instanceof UnreachableError) || !shouldRetry(options, hasBeenOpen)) throw error;
      end = { text: error.message };
    }
    if (isAborted(options)) return;
    yield { kind: 'lost', reason: reasonToRetry(end, options, hasBeenOpen), retryMs };
    await pause(retryMs, options.signal);
    if (isAborted(options)) return;
    isRetry = true;
  }
}

/** Finds the start position; undefined if the signal is aborted first. */
async function startOf(options: StreamOptions): Promise<Start | undefined> {
  if (options.name !== undefined || options.start === undefined) return 'newest';
  const { signal } = options;
  if (isAborted(options)) return undefined;
  // Its listener is removed after the search, which may be repeated, since the signal outlives it.
  const found = new AbortController();
  const aborted = new Promise<undefined>((resolve) => {
    signal?.addEventListener('abort', () => resolve(undefined), { once: true, signal: found.signal });
  });
  return Promise.race([options.start(), aborted]).finally(() => found.abort());
}

interface Progress {
  readonly deliveries: Deliveries;
  /** The item that reports an open connection. */
  readonly opened: () => StreamItem;
}

/** Yields everything that one connection receives; returns how it ended. */
async function* oneConnection(
  options: StreamOptions,
  url: string,
  { deliveries, opened }: Progress,
): AsyncGenerator<StreamItem, SocketEnd, undefined> {
  const connection = connect(options.openSocket, url, options.signal);
  try {
    for (;;) {
      const received = await connection.next();
      if (received === 'opened') yield opened();
      else if ('end' in received) return received.end;
      else {
        for (const content of readFrame(received.text, connection)) {
          if ('kind' in content) {
            yield content;
            continue;
          }
          const { event, text, sendAck } = content;
          const item = deliveries.take(event, text, sendAck);
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

/** The reason for a retry after a lost connection. @throws ClientError, UnreachableError if there is to be none */
function reasonToRetry(end: SocketEnd, options: StreamOptions, hasBeenOpen: boolean): string {
  const { status } = end;
  if (status !== undefined && status >= 400 && status < 500) throw refusal({ status, text: end.body ?? '' });
  if (shouldRetry(options, hasBeenOpen)) return end.text;
  throw new UnreachableError(options.url, new Error(end.text));
}

function shouldRetry({ retry }: StreamOptions, hasBeenOpen: boolean): boolean {
  return retry === 'always' || (retry === 'later' && hasBeenOpen);
}

function streamUrl(options: StreamOptions, position: Start): string {
  const query = new URLSearchParams({ namespace: options.namespace });
  if (options.name === undefined) {
    query.set('ephemeral', 'true');
    query.set('readahead', String(options.gatherMs === undefined ? readAhead : gatheredReadAhead));
    if (options.gatherMs !== undefined) {
      query.set('batch', 'true');
      query.set('batchtimeout', `${options.gatherMs}ms`);
    }
    if (options.changes === true) query.set('changes', 'true');
    if (position !== 'newest') query.set('firstEvent', String(position));
    for (const [key, expression] of Object.entries(options.filters ?? {})) query.set(`filter.${key}`, expression);
  } else query.set('name', options.name);
  return `${options.url.replace(/^http/, 'ws').replace(/\/+$/, '')}/ws?${query.toString()}`;
}

interface ReceivedEvent {
  readonly event: DeliveredEvent;
  readonly text: string;
  /** Sends the acknowledgement; in a batch, only that of the last event is sent, for all. */
  readonly sendAck: () => void;
}

/** Parses a frame. The node writes its frames by these schemas, which `type` selects. */
function readFrame(text: string, connection: Connection): readonly (ReceivedEvent | ChangesItem)[] {
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
  const sendAck = () => {
    connection.send(textOf({ type: 'ack', id, subscription: { id: subscription.id } }));
  };
  if (type !== 'event_batch') return [{ event, text, sendAck }];
  const batch = read(text, EventBatch).value as EventBatch;
  const unacknowledged = new Set(batch.events);
  return batch.events.map((each) => ({
    event: read(each, DeliveredEvent).value as DeliveredEvent,
    text: each,
    sendAck: () => {
      if (unacknowledged.delete(each) && unacknowledged.size === 0) sendAck();
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
