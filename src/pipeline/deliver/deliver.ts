import type { Filter } from '../../domain/filter.js';
import { createWindow } from '../../domain/window.js';
import type { Clock } from '../../ports/clock.js';
import type { Log } from '../../ports/log.js';
import type { Random } from '../../ports/random.js';
import type { LoggedEvent, Subscriber } from '../../ports/subscriber.js';
import { DeliveredEvent } from '../../wire/event.js';
import { write } from '../../wire/json.js';
import type { Bus } from '../bus.js';
import { createLoop, type Step } from '../loop.js';
import { eventRecord } from '../records.js';
import type { EventLog } from './event-log.js';

export interface SubscribeRequest {
  readonly namespace: string;
  readonly filter: Filter;
  /** Each event counts as acknowledged when it is handed over. */
  readonly isAutoack: boolean;
  /** How many events may be ahead of acknowledgement, beside the one that is being consumed. */
  readonly readAhead: number;
  readonly subscriber: Subscriber;
}

/** One live delivery. */
export interface Subscription {
  readonly id: string;
  /** Makes room in the window. False when the id matches nothing that is or recently was in flight. */
  acknowledge(eventId?: string): boolean;
  /** Ends the delivery; nothing of it remains. */
  close(): Promise<void>;
}

export interface Delivery {
  /**
   * Starts an ephemeral subscription: it gets every matching event that is inserted after this call was made, in order,
   * and is not remembered (S §11.5). Resolves when its start is fixed.
   */
  subscribe(request: SubscribeRequest): Promise<Subscription>;
  stop(): Promise<void>;
}

export interface DeliveryParts {
  readonly eventLog: EventLog;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly onDefect: (error: Error) => void;
}

/** How many events one step reads. */
const maxPage = 200;

/** Events after a cursor → filter → window → subscriber. */
export function createDelivery(parts: DeliveryParts): Delivery {
  const { eventLog, random } = parts;
  const open = new Set<Subscription>();
  return {
    async subscribe(request) {
      const cursor = await eventLog.newest();
      const subscription = startSubscription(parts, request, { id: random.uuid(), cursor, onClose: remove });
      open.add(subscription);
      return subscription;
    },
    async stop() {
      await Promise.all([...open].map((subscription) => subscription.close()));
    },
  };

  function remove(subscription: Subscription): void {
    open.delete(subscription);
  }
}

function startSubscription(
  { eventLog, bus, clock, log, onDefect }: DeliveryParts,
  { namespace, filter, isAutoack, readAhead, subscriber }: SubscribeRequest,
  start: { readonly id: string; readonly cursor: number; readonly onClose: (subscription: Subscription) => void },
): Subscription {
  const window = createWindow(readAhead);
  const reference = { id: start.id, namespace, name: start.id };
  let { cursor } = start;
  /** Read and not handed over yet: the window was full. */
  let page: LoggedEvent[] = [];

  async function step(signal: AbortSignal): Promise<Step> {
    if (!window.hasRoom) return rested;
    const isLeftover = page.length > 0;
    if (!isLeftover) page = [...(await eventLog.after(cursor, namespace, maxPage))].reverse();
    const isFull = page.length === maxPage;
    while (window.hasRoom && !signal.aborted) {
      const logged = page.pop();
      if (logged === undefined) break;
      cursor = logged.event.sequence;
      if (filter(filterable(logged))) await hand(logged);
    }
    // Behind a page that was full, or is older than the last bell, there may be more.
    return { hasWorked: page.length === 0 && (isFull || isLeftover), rings: [] };
  }

  async function hand(logged: LoggedEvent): Promise<void> {
    const { event, message } = logged;
    if (!isAutoack) window.sent(event.id);
    const text = () => write(DeliveredEvent, eventRecord(event, message, reference));
    await subscriber.deliver({ id: event.id, events: [logged], text });
  }

  const loop = createLoop({ name: 'deliver', bell: 'events', step, bus, clock, log, onDefect });
  const subscription: Subscription = {
    id: start.id,
    acknowledge(eventId) {
      const isKnown = window.acknowledge(eventId);
      loop.wake();
      return isKnown;
    },
    async close() {
      start.onClose(subscription);
      await loop.stop();
    },
  };
  loop.start();
  return subscription;
}

const rested: Step = { hasWorked: false, rings: [] };

function filterable({ event, message }: LoggedEvent) {
  return { type: event.type, topics: event.topics, message };
}
