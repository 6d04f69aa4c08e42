import type { QueryClient } from '@tanstack/react-query';
import type { Client } from '../../../src/client/client.js';
import type { EventItem } from '../../../src/client/events/deliveries.js';
import { events, type Start } from '../../../src/client/events/stream.js';
import type { DeliveredEvent } from '../../../src/wire/events/event.js';
import { openBrowserSocket } from './browser-socket.js';
import { createInvalidator } from './invalidator.js';
import { type LiveState, lostAt } from './live-state.js';
import { createRing } from './ring.js';
import { touchedByChange } from './touched.js';

/** The events of the namespace as they happen. */
export interface Live {
  state(): LiveState;
  subscribe(listener: () => void): () => void;
  /** The newest events, oldest first. */
  events(): readonly DeliveredEvent[];
  /** Calls back at most once a frame while events come, and not while the tab is hidden. */
  subscribeEvents(listener: () => void): () => void;
  /** Reads again, at once, what an action of this tab may have changed. */
  touch(...subjects: readonly string[]): void;
  stop(): void;
}

export const maxLiveEvents = 10_000;
/** Beyond so many missed events everything is read again instead. */
const maxFill = 2_000;
const pauseMs = 1_000;
/** A delay too short to see, which keeps many open tabs cheap for the node. */
const gatherMs = 50;

/** Listens to the node on the one socket of this tab; an event makes the reads that it touches be made again. */
export function createLive(client: Client, queries: QueryClient): Live {
  const closing = new AbortController();
  const ring = createRing<DeliveredEvent>(maxLiveEvents);
  const listeners = new Set<() => void>();
  const frames = createFrames();
  const invalidator = createInvalidator(queries, client.namespace);
  let state: LiveState = { connection: 'connecting', contactMs: undefined, gapAfter: undefined };
  const become = (change: Partial<LiveState>) => {
    state = { ...state, ...change };
    for (const listener of listeners) listener();
  };
  const take = ({ event }: EventItem) => {
    ring.push(event);
    invalidator.eventCame(event);
    frames.request();
  };

  /** Follows one stream until too much was missed. Resolves with the sequence to go on behind, or to go on anywhere. */
  async function follow(begin: () => Promise<Start>): Promise<Start | undefined> {
    const leaving = new AbortController();
    const signal = AbortSignal.any([closing.signal, leaving.signal]);
    const { url, namespace } = client;
    const options = { url, namespace, openSocket: openBrowserSocket, retry: 'always', changes: true, signal } as const;
    for await (const item of events({ ...options, gatherMs, filters: { events: '.*' }, start: begin })) {
      if (item.kind === 'event') take(item);
      else if (item.kind === 'changes') invalidator.touch(...item.collections.flatMap(touchedByChange));
      else if (item.kind === 'lost') become(lostAt(state, Date.now()));
      else {
        become({ connection: 'live', contactMs: Date.now() });
        if (item.kind === 'open') continue;
        invalidator.everythingChanged();
        const missed = await missedAfter(client, item.behind);
        if (missed === undefined) continue;
        become({ gapAfter: missed.isAfresh ? undefined : missed.after });
        ring.clear();
        frames.request();
        // Once more: what happened before its newest event was asked for comes to nobody over the socket.
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
        become(lostAt(state, Date.now()));
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

async function lastSequence(client: Client): Promise<number> {
  return (await client.getStatus()).value.parley.lastSequence;
}

/** Events that are not followed one by one. */
interface Missed {
  readonly after: number;
  /** The newest of them, behind which the stream goes on. */
  readonly last: number;
  /** The node has begun anew, as after a reset: it counts its events from the beginning, and has none of the former. */
  readonly isAfresh: boolean;
}

async function missedAfter(client: Client, behind: Start): Promise<Missed | undefined> {
  if (typeof behind !== 'number') return undefined;
  const last = await lastSequence(client);
  const isAfresh = last < behind;
  return isAfresh || last - behind > maxFill ? { after: behind, last, isAfresh } : undefined;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function add(listeners: Set<() => void>, listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Calls its listeners once in a frame in which something was requested; a hidden tab has no frames. */
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
