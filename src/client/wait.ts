import type { Message } from '../wire/messages/message.js';
import type { Answer, Client } from './client.js';
import { ClientError, UnreachableError } from './errors.js';
import type { OpenSocket } from './events/socket.js';
import { events } from './events/stream.js';

/** A message in its final state at one node. */
export interface FinalMessage {
  readonly answer: Answer<Message>;
  /** The time at which the final state was first seen, on the clock of `performance.now()`. */
  readonly seenMs: number;
}

export interface Watch {
  /**
   * Resolves with the record of a message once it is final at this node. It waits while the node is unreachable or does
   * not have the message yet.
   *
   * @throws the signal's reason; ClientError if the node refuses the request; a failure of the event stream
   */
  decided(id: string, signal: AbortSignal): Promise<FinalMessage>;
  close(): void;
}

const firstPollMs = 10;
const maxPollMs = 250;
/** The limit of remembered decisions on messages for which `decided` has not been called yet. */
const maxRemembered = 10_000;

/**
 * Watches the decisions of one node. Call it before the message is sent: events report decisions, and polling covers
 * events that came before the socket was open.
 */
export function watchMessages({ client, openSocket }: { client: Client; openSocket: OpenSocket }): Watch {
  const closing = new AbortController();
  const seen = new Map<string, number>();
  const bells = new Map<string, () => void>();
  let failure: { readonly error: unknown } | undefined;
  const listening = listen({ client, openSocket, signal: closing.signal }, (id) => {
    seen.set(id, performance.now());
    const oldest = seen.size > maxRemembered ? seen.keys().next().value : undefined;
    if (oldest !== undefined) seen.delete(oldest);
    bells.get(id)?.();
  });
  listening.catch((error: unknown) => {
    failure = { error };
  });
  return {
    async decided(id, signal) {
      for (let pollMs = firstPollMs; ; pollMs = Math.min(pollMs * 2, maxPollMs)) {
        if (!seen.has(id)) await ringOr(pollMs, id, bells, signal);
        signal.throwIfAborted();
        if (failure !== undefined) throw failure.error;
        const answer = await find(client, id, signal);
        if (answer !== undefined && isFinal(answer.value)) {
          return { answer, seenMs: seen.get(id) ?? performance.now() };
        }
        seen.delete(id);
      }
    },
    close: () => {
      closing.abort();
    },
  };
}

/** Whether a message's state can no longer change. */
export function isFinal(message: Message): boolean {
  return message.state !== 'ready' && message.state !== 'staged';
}

interface ListenOptions {
  readonly client: Client;
  readonly openSocket: OpenSocket;
  readonly signal: AbortSignal;
}

/** Ends silently if the node refuses the stream: polling finds decisions, too, only later. */
async function listen(options: ListenOptions, decided: (id: string) => void): Promise<void> {
  const { url, namespace } = options.client;
  const filters = { events: '^message_(confirmed|rejected)$' };
  try {
    for await (const item of events({ ...options, url, namespace, filters, retry: 'always' })) {
      if (item.kind === 'event') decided(item.event.reference);
    }
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
  }
}

/** Reads the record; undefined if the node is unreachable, fails, or does not have it. */
async function find(client: Client, id: string, signal: AbortSignal): Promise<Answer<Message> | undefined> {
  try {
    return await client.getMessage({ path: { msgid: id }, signal });
  } catch (error) {
    const isLater = error instanceof ClientError && (error.status === 404 || error.status >= 500);
    if (isLater || error instanceof UnreachableError) return undefined;
    throw error;
  }
}

function ringOr(ms: number, id: string, bells: Map<string, () => void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      bells.delete(id);
      resolve();
    };
    const timer = setTimeout(done, ms);
    bells.set(id, done);
    signal.addEventListener('abort', done);
    if (signal.aborted) done();
  });
}
