import { randomBytes } from 'node:crypto';
import type { OpenSocket, Socket } from '../client/events/socket.js';
import { type EventFacts, readEvent } from './check/facts/facts.js';
import type { DurableRecord } from './check/recording.js';
import type { HttpClient } from './http.js';
import type { Endpoint } from './endpoint.js';
import { type DurableSubscription, listEvents, readOffset, subscribe, unsubscribe } from './subscription.js';

/** Follows a durable subscription of one node, reconnecting whenever the socket breaks. */
export interface DurableRecorder {
  readonly party: string;
  /** Resolves when the subscription exists and the first connection is open. */
  readonly opened: Promise<void>;
  /**
   * Parses the events of every connection, which are stored as text on arrival.
   *
   * @throws Error for a frame that is not an event
   */
  connections(): EventFacts[][];
  /**
   * Waits until the last acknowledgement is on the node's disk; resolves with the time, on the clock of
   * `performance.now()`. Call it when nothing is in progress.
   *
   * @throws Error on timeout
   */
  settled(): Promise<number>;
  /**
   * Waits for the last acknowledgement; resolves with deliveries, acknowledgements and the node's list of events. Call
   * it when nothing is in progress.
   */
  record(): Promise<DurableRecord>;
  /** Closes the connection and deletes the subscription. */
  close(): Promise<void>;
}

export interface DurableRecorderOptions {
  readonly http: HttpClient;
  readonly openSocket: OpenSocket;
  /** The start position. A run on a shared stack needs only its own events, a run on a fresh stack all of them. */
  readonly firstEvent: 'newest' | 'oldest' | number;
  /**
   * Called for each event on arrival, with the id that it refers to and the time, on the clock of `performance.now()`.
   */
  readonly onEvent?: (reference: string, atMs: number) => void;
  readonly readAhead?: number;
  /** `^` and a prefix of the event types. Default: events of messages. */
  readonly events?: string;
}

/** A received frame, or the id of an acknowledged event. */
type Step = { readonly frame: string } | { readonly acknowledged: string };

const reopenMs = 100;
const settleMs = 10_000;

/**
 * Creates a consumer of a durable subscription that acknowledges in order. It acknowledges events in the turn of the
 * event loop after their arrival, so it uses the window like a consumer that has work to do.
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
      if (offset < sequence) throw new Error(`the offset of ${name} is ${offset} and did not reach ${sequence}`);
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
      // If it could not be created, `opened` has rejected with the reason.
      const subscription = await subscribed.catch(() => undefined);
      if (subscription !== undefined) await unsubscribe(http, endpoint, subscription.id);
    },
  };
}

function asStep(step: Step): DurableRecord['connections'][number][number] {
  if ('acknowledged' in step) return { is: 'acknowledged', id: step.acknowledged };
  return { is: 'delivered', id: memberOf(step.frame, 'id') };
}

/** Resolves with the offset when it has reached the sequence `last`, or with the latest offset on timeout. */
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

/**
 * Finds an id without parsing the frame, since this runs for every event under load. The event's own id comes first.
 */
function memberOf(frame: string, name: string): string {
  const start = frame.indexOf(`"${name}":"`) + name.length + 4;
  return frame.slice(start, start + 36);
}
