import type { Client } from './client.js';
import { ClientError, UnreachableError } from './errors.js';
import type { OpenSocket } from './events/socket.js';
import { events } from './events/stream.js';

export interface Observer {
  /**
   * Calls `find` until it has a result: at once, after each event, and at intervals. It goes on while the node is
   * unreachable or fails.
   *
   * @throws any other error of `find`; the signal's reason; a failure of the event stream
   */
  until<Value>(find: (signal: AbortSignal) => Promise<Value | undefined>, signal: AbortSignal): Promise<Value>;
  close(): void;
}

export interface ObserverOptions {
  readonly client: Client;
  readonly openSocket: OpenSocket;
  /** Regular expression (RE2) of the event types that trigger a poll. */
  readonly types: string;
}

const firstPollMs = 10;
const maxPollMs = 250;

/**
 * Listens to the events of a node, so that a poll runs when its result is likely to be there. Call it before the
 * awaited operation begins; polling covers missed events.
 */
export function observe({ client, openSocket, types }: ObserverOptions): Observer {
  const closing = new AbortController();
  const bells = new Set<() => void>();
  let rings = 0;
  let failure: { readonly error: unknown } | undefined;
  const ring = () => {
    rings++;
    for (const bell of bells) bell();
  };
  listen({ client, openSocket, types, signal: closing.signal, ring }).catch((error: unknown) => {
    failure = { error };
    ring();
  });
  return {
    async until(find, signal) {
      for (let pollMs = firstPollMs; ; pollMs = Math.min(pollMs * 2, maxPollMs)) {
        signal.throwIfAborted();
        if (failure !== undefined) throw failure.error;
        const heard = rings;
        const found = await ask(find, signal);
        if (found !== undefined) return found;
        if (rings === heard) await ringOr(pollMs, bells, signal);
      }
    },
    close: () => {
      closing.abort();
    },
  };
}

async function ask<Value>(find: (signal: AbortSignal) => Promise<Value | undefined>, signal: AbortSignal) {
  try {
    return await find(signal);
  } catch (error) {
    if (error instanceof UnreachableError || (error instanceof ClientError && error.status >= 500)) return undefined;
    throw error;
  }
}

/** Ends silently if the node refuses the stream: polling finds the result, too, only later. */
async function listen({
  ring,
  client,
  types,
  ...options
}: ObserverOptions & { readonly signal: AbortSignal; readonly ring: () => void }): Promise<void> {
  const { url, namespace } = client;
  try {
    for await (const item of events({ ...options, url, namespace, filters: { events: types }, retry: 'always' })) {
      if (item.kind === 'event' || item.kind === 'reopen') ring();
    }
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
  }
}

function ringOr(ms: number, bells: Set<() => void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      bells.delete(done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    bells.add(done);
    signal.addEventListener('abort', done);
    if (signal.aborted) done();
  });
}
