import { randomBytes } from 'node:crypto';
import type { OpenSocket, Socket } from '../client/socket.js';
import { type EventFacts, readEvent } from './check/facts.js';
import type { DurableRecord } from './check/recording.js';
import type { HttpClient } from './http.js';
import type { Endpoint } from './endpoint.js';
import { type DurableSubscription, listEvents, readOffset, subscribe, unsubscribe } from './subscription.js';

/** Follows a durable subscription of one node, on a socket that is opened again whenever it breaks. */
export interface DurableRecorder {
  readonly party: string;
  /** Resolves when the subscription is there and the first connection is open. */
  readonly opened: Promise<void>;
  /** Every connection's events, parsed now and not while they came. @throws Error for a frame that is no event */
  connections(): EventFacts[][];
  /**
   * Waits until the last acknowledgement is on the node's disk, and answers the time of that on the clock of
   * `performance.now()`. Asked at rest. @throws Error when it does not come
   */
  settled(): Promise<number>;
  /** What came and was acknowledged, with what the node lists. Asked at rest, it waits for the last acknowledgement. */
  record(): Promise<DurableRecord>;
  /** Ends the connection; the subscription goes with it. */
  close(): Promise<void>;
}

export interface DurableRecorderOptions {
  readonly http: HttpClient;
  readonly openSocket: OpenSocket;
  /** Where it begins: a run looks at its own events only, a stack of its own at all of them. */
  readonly firstEvent: 'newest' | 'oldest' | number;
  /** Gets what every event refers to as it comes, and the time of that on the clock of `performance.now()`. */
  readonly onEvent?: (reference: string, atMs: number) => void;
  readonly readAhead?: number;
  /** How the types of its events begin, after `^`. Default: those that decide messages. */
  readonly events?: string;
}

/** A frame as it came, or the id of the event that was acknowledged. */
type Step = { readonly frame: string } | { readonly acknowledged: string };

const reopenMs = 100;
const settleMs = 10_000;

/**
 * The consumer of assurance, section 7: durable, manual acknowledgement, in order. What came in one turn of the event
 * loop is acknowledged in the next, so that the window is used as a consumer with work to do would use it.
 */
export function recordDurably(endpoint: Endpoint, options: DurableRecorderOptions): DurableRecorder {
  const { http, openSocket, firstEvent, onEvent, readAhead = 50, events = '^message_' } = options;
  const name = `recorder-${randomBytes(4).toString('hex')}`;
  const address = `${endpoint.url.replace(/^http/, 'ws')}/ws?namespace=default&name=${name}`;
  const connections: Step[][] = [];
  let socket: Socket | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isClosed = false;

  function open(announce: () => void): void {
    const steps: Step[] = [];
    const waiting: string[] = [];
    const opened = openSocket(address, {
      opened: () => {
        connections.push(steps);
        announce();
      },
      received: (frame) => {
        steps.push({ frame });
        if (waiting.push(memberOf(frame, 'id')) === 1) setImmediate(acknowledge);
        onEvent?.(memberOf(frame, 'reference'), performance.now());
      },
      closed: () => {
        waiting.length = 0;
        if (!isClosed) timer = setTimeout(open, reopenMs, announce);
      },
    });
    socket = opened;
    function acknowledge(): void {
      for (const id of waiting.splice(0)) {
        opened.send(`{"type":"ack","id":"${id}"}`);
        steps.push({ acknowledged: id });
      }
    }
  }

  const subscribed = subscribe(http, endpoint, { name, firstEvent, readAhead, events });
  return {
    party: endpoint.name,
    opened: subscribed.then(() => new Promise<void>(open)),
    connections: () =>
      connections.map((steps) => steps.flatMap((step) => ('frame' in step ? [readEvent(step.frame)] : []))),
    async settled() {
      const last = connections.at(-1)?.findLast((step) => 'frame' in step);
      const sequence = last === undefined ? -1 : readEvent(last.frame).sequence;
      const offset = await settledOffset(http, endpoint, await subscribed, sequence);
      if (offset < sequence) throw new Error(`the offset of ${name} is ${offset} and does not reach ${sequence}`);
      return performance.now();
    },
    async record() {
      const subscription = await subscribed;
      const listed = await listEvents(http, endpoint, { events, after: subscription.start });
      const offset = await settledOffset(http, endpoint, subscription, listed.at(-1)?.sequence ?? 0);
      return { readAhead, listed, offset, connections: connections.map((steps) => steps.map(asStep)) };
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      socket?.close();
      // Where it could not be had, `opened` has said so.
      const subscription = await subscribed.catch(() => undefined);
      if (subscription !== undefined) await unsubscribe(http, endpoint, subscription.id);
    },
  };
}

function asStep(step: Step): DurableRecord['connections'][number][number] {
  if ('acknowledged' in step) return { is: 'acknowledged', id: step.acknowledged };
  return { is: 'delivered', id: memberOf(step.frame, 'id') };
}

/** The offset once it has passed a sequence; otherwise what it is when the time is up. */
async function settledOffset(
  http: HttpClient,
  endpoint: Endpoint,
  { id }: DurableSubscription,
  last: number,
): Promise<number> {
  const deadlineMs = performance.now() + settleMs;
  for (;;) {
    const offset = await readOffset(http, endpoint, id);
    if (offset >= last || performance.now() > deadlineMs) return offset;
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

/** An id, by search and not by parsing: it is done for every event while the load runs. Its own stands first. */
function memberOf(frame: string, name: string): string {
  const start = frame.indexOf(`"${name}":"`) + name.length + 4;
  return frame.slice(start, start + 36);
}
