import type { QueryClient } from '@tanstack/react-query';
import type { Client } from '../../../src/client/client.js';
import type { EventItem } from '../../../src/client/events/deliveries.js';
import { events, type Start } from '../../../src/client/events/stream.js';
import type { DeliveredEvent } from '../../../src/wire/events/event.js';
import { nodeNow } from '../api/node-clock.js';
import { openBrowserSocket } from './browser-socket.js';
import { createInvalidator } from './invalidator.js';
import { type LiveState, lostAt } from './live-state.js';
import { createRing } from './ring.js';
import { touchedByChange } from './touched.js';

export interface Live {
  state(): LiveState;
  subscribe(listener: () => void): () => void;
  /** The newest events, oldest first. */
  events(): readonly DeliveredEvent[];
  /** Calls back at most once per animation frame, and not while the tab is hidden. */
  subscribeEvents(listener: () => void): () => void;
  /** Invalidates the reads that an action of this tab may have changed. */
  touch(...subjects: readonly string[]): void;
  stop(): void;
}

export const maxLiveEvents = 10_000;
/** Above this number of missed events, all reads are repeated instead of following the events. */
const maxMissed = 2_000;
const pauseMs = 1_000;
/** The interval at which the node sends events in groups, which reduces its load with many open tabs. */
const gatherMs = 50;

/** Listens to the node on the tab's only socket. Each event invalidates the reads that it touches. */
export function createLive(client: Client, queries: QueryClient): Live {
  const closing = new AbortController();
  const ring = createRing<DeliveredEvent>(maxLiveEvents);
  const listeners = new Set<() => void>();
  const frames = createFrames();
  const invalidator = createInvalidator(queries, client.namespace, document);
  let state: LiveState = { connection: 'connecting', contactMs: undefined, gapAfter: undefined, isRefused: false };
  const become = (change: Partial<LiveState>) => {
    state = { ...state, ...change };
    for (const listener of listeners) listener();
  };
  const take = ({ event }: EventItem) => {
    ring.push(event);
    invalidator.eventCame(event);
    frames.request();
  };

  /** Follows one stream until too many events were missed. Resolves with the sequence to continue after. */
  async function follow(begin: () => Promise<Start>): Promise<Start | undefined> {
    const leaving = new AbortController();
    const signal = AbortSignal.any([closing.signal, leaving.signal]);
    const { url, namespace } = client;
    const beforeRetry = async () => become({ isRefused: await isRefusedBy(client) });
    const options = { url, namespace, openSocket: openBrowserSocket, retry: 'always', changes: true, signal } as const;
    for await (const item of events({ ...options, beforeRetry, gatherMs, filters: { events: '.*' }, start: begin })) {
      if (item.kind === 'event') take(item);
      else if (item.kind === 'changes') invalidator.touch(...item.collections.flatMap(touchedByChange));
      else if (item.kind === 'lost') become(lostAt(state, nodeNow()));
      else {
        become({ connection: 'live', contactMs: nodeNow(), isRefused: false });
        if (item.kind === 'open') continue;
        invalidator.everythingChanged();
        const missed = await missedAfter(client, item.after);
        if (missed === undefined) continue;
        become({ gapAfter: missed.isReset ? undefined : missed.after });
        ring.clear();
        frames.request();
        // Invalidate again: the stream skips the events between the first invalidation and `missed.last`.
        invalidator.everythingChanged();
        leaving.abort();
        return missed.last;
      }
    }
    return undefined;
  }

  async function run(): Promise<void> {
    let begin: Start | undefined;
    while (!closing.signal.aborted) {
      try {
        const from = begin;
        begin = await follow(() => (from === undefined ? lastSequence(client) : Promise.resolve(from)));
      } catch {
        become(lostAt(state, nodeNow()));
        await pause(pauseMs);
      }
    }
  }
  void run();

  return {
    state: () => state,
    subscribe: (listener) => add(listeners, listener),
    events: () => ring.items(),
    subscribeEvents: frames.subscribe,
    touch: invalidator.touch,
    stop: () => {
      closing.abort();
      frames.stop();
      invalidator.stop();
    },
  };
}

/**
 * Whether the node refuses the credentials of this page. A browser does not tell why a WebSocket was refused, and asks
 * for credentials only for other requests.
 */
async function isRefusedBy(client: Client): Promise<boolean> {
  const answer = client.exchange({ method: 'GET', path: '/ui/_config' });
  return answer.then(
    ({ status }) => status === 401,
    () => false,
  );
}

async function lastSequence(client: Client): Promise<number> {
  return (await client.getStatus()).value.parley.lastSequence;
}

/** Events that are skipped. */
interface Missed {
  readonly after: number;
  /** The newest of them, after which the stream continues. */
  readonly last: number;
  /** Whether the node was reset: its sequence starts from the beginning, and the earlier events are gone. */
  readonly isReset: boolean;
}

async function missedAfter(client: Client, behind: Start): Promise<Missed | undefined> {
  if (typeof behind !== 'number') return undefined;
  const last = await lastSequence(client);
  const isReset = last < behind;
  return isReset || last - behind > maxMissed ? { after: behind, last, isReset } : undefined;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function add(listeners: Set<() => void>, listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Calls its listeners once per animation frame after a request. A hidden tab has no frames. */
function createFrames() {
  const listeners = new Set<() => void>();
  let frame: number | undefined;
  return {
    subscribe: (listener: () => void) => add(listeners, listener),
    request: () => {
      frame ??= requestAnimationFrame(() => {
        frame = undefined;
        for (const listener of listeners) listener();
      });
    },
    stop: () => {
      if (frame !== undefined) cancelAnimationFrame(frame);
    },
  };
}
