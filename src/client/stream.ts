import { DeliveredEvent } from '../wire/event.js';
import { ProtocolError } from '../wire/frame.js';
import { textOf } from '../wire/json.js';
import { read } from '../wire/json-reader.js';
import { refusal } from './client.js';
import { UnreachableError } from './errors.js';
import { type Connection, connect, type OpenSocket, type SocketEnd } from './socket.js';

export interface StreamOptions {
  /** The node's HTTP address. */
  readonly url: string;
  readonly namespace: string;
  /** Regular expressions (RE2) by key, such as `events` or `message.tag`; all must match (S §10.4). */
  readonly filters?: Readonly<Record<string, string>>;
  readonly openSocket: OpenSocket;
  /**
   * Whether a connection that cannot be made, or breaks, is tried again: also the first one, only later ones, never.
   */
  readonly retry: 'always' | 'later' | 'never';
  readonly signal?: AbortSignal | undefined;
}

export type StreamItem =
  | { readonly kind: 'open' }
  /** `text` is the frame as served. */
  | { readonly kind: 'event'; readonly event: DeliveredEvent; readonly text: string }
  | { readonly kind: 'lost'; readonly reason: string; readonly retryMs: number }
  /**
   * Connected again. What happened in between was not delivered: an ephemeral subscription begins with its connection.
   */
  | { readonly kind: 'reopen'; readonly lastSequence: number | undefined };

const firstRetryMs = 100;
const maxRetryMs = 5_000;
/** Events that the node sends ahead of the acknowledgements: enough to keep a local consumer busy, little to hold. */
const readAhead = 50;

/**
 * The events of a namespace from now on, in order (S §11, ephemeral). An event is acknowledged when the next item is
 * asked for, so a slow reader slows the node's delivery and holds no more than the read-ahead. Ends when the signal
 * is aborted.
 *
 * @throws ClientError when the node refuses the subscription; UnreachableError when a connection is not to be tried
 *   again
 */
export async function* events(options: StreamOptions): AsyncGenerator<StreamItem, void, undefined> {
  let lastSequence: number | undefined;
  let hasBeenOpen = false;
  for (let retryMs = firstRetryMs; ; retryMs = Math.min(retryMs * 2, maxRetryMs)) {
    const connection = connect(options.openSocket, streamUrl(options), options.signal);
    try {
      for (;;) {
        const happening = await connection.next();
        if (happening === 'opened') {
          yield hasBeenOpen ? { kind: 'reopen', lastSequence } : { kind: 'open' };
          hasBeenOpen = true;
          retryMs = firstRetryMs;
        } else if ('text' in happening) {
          const event = readFrame(happening.text);
          yield { kind: 'event', event, text: happening.text };
          lastSequence = event.sequence;
          acknowledge(connection, event);
        } else {
          if (isAborted(options)) return;
          const reason = judgeEnd(happening.end, options, hasBeenOpen);
          yield { kind: 'lost', reason, retryMs };
          break;
        }
      }
    } finally {
      connection.close();
    }
    await pause(retryMs, options.signal);
    if (isAborted(options)) return;
  }
}

function isAborted({ signal }: StreamOptions): boolean {
  return signal?.aborted === true;
}

/** What to say about a connection that may be tried again. @throws ClientError, UnreachableError when it may not */
function judgeEnd(end: SocketEnd, options: StreamOptions, hasBeenOpen: boolean): string {
  const { status } = end;
  if (status !== undefined && status >= 400 && status < 500) throw refusal({ status, text: end.body ?? '' });
  if (options.retry === 'always' || (options.retry === 'later' && hasBeenOpen)) return end.text;
  throw new UnreachableError(options.url, new Error(end.text));
}

function streamUrl(options: StreamOptions): string {
  const query = new URLSearchParams({
    namespace: options.namespace,
    ephemeral: 'true',
    readahead: String(readAhead),
  });
  for (const [key, expression] of Object.entries(options.filters ?? {})) query.set(`filter.${key}`, expression);
  return `${options.url.replace(/^http/, 'ws').replace(/\/+$/, '')}/ws?${query.toString()}`;
}

function readFrame(text: string): DeliveredEvent {
  const event = read(text, DeliveredEvent).value as DeliveredEvent; // the node writes its frames along this schema
  if ((event.type as string) !== 'protocol_error') return event; // the one frame that is not an event
  const { error } = read(text, ProtocolError).value as ProtocolError; // as above
  throw refusal({ status: 400, text: textOf({ error }) });
}

function acknowledge(connection: Connection, { id, subscription }: DeliveredEvent): void {
  connection.send(textOf({ type: 'ack', id, subscription: { id: subscription.id } }));
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
