import { compileFilter } from '../../domain/filter.js';
import { createWindow } from '../../domain/window.js';
import type { Clock } from '../../ports/clock.js';
import type { Database } from '../../ports/database.js';
import type { Log } from '../../ports/log.js';
import type { Random } from '../../ports/random.js';
import type { LoggedEvent } from '../../ports/subscriber.js';
import { DeliveredEvent } from '../../wire/event.js';
import { write } from '../../wire/json.js';
import { equal, oldestFirst } from '../../wire/query.js';
import type { Bus } from '../bus.js';
import { createLoop, type Step } from '../loop.js';
import { eventRecord } from '../records.js';
import type { AttachRequest, Attachment, Delivery, EphemeralRequest } from './delivery.js';
import type { EventLog } from './event-log.js';

export interface DeliveryParts {
  readonly database: Database;
  readonly eventLog: EventLog;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly onDefect: (error: Error) => void;
}

/** How many events one step reads. */
const maxPage = 200;

/** What a delivery is started with. */
interface Start {
  readonly reference: DeliveredEvent['subscription'];
  readonly cursor: number;
  readonly onClose: (attachment: Attachment) => void;
}

/** Events after a cursor → filter → window → subscriber. */
export function createDelivery(parts: DeliveryParts): Delivery {
  const { database, eventLog, random } = parts;
  const open = new Set<Attachment>();

  async function startDurable(request: AttachRequest): Promise<Attachment | undefined> {
    const { namespace, name } = request;
    const where = [equal('name', name)];
    const [row] = await database.find('subscriptions', { namespace, where, sort: oldestFirst, limit: 1 });
    if (row === undefined) return undefined;
    const reference = { id: row.id, namespace, name };
    const durable = { ...request, filter: compileFilter(new Map()), pace: { readAhead: 0 } };
    return startSubscription(parts, durable, { reference, cursor: row.cursor, onClose: remove });
  }

  return {
    async subscribe(request) {
      const cursor = request.after ?? (await eventLog.newest());
      const id = random.uuid();
      const reference = { id, namespace: request.namespace, name: id };
      const attachment = startSubscription(parts, request, { reference, cursor, onClose: remove });
      open.add(attachment);
      return attachment;
    },
    async attach(request) {
      const attachment = (await startDurable(request)) ?? waiting;
      open.add(attachment);
      return attachment;
    },
    activityOf: () => undefined,
    async stop() {
      await Promise.all([...open].map((attachment) => attachment.close()));
    },
  };

  function remove(attachment: Attachment): void {
    open.delete(attachment);
  }
}

const waiting: Attachment = {
  subscription: () => undefined,
  isActive: () => false,
  acknowledge: () => false,
  close: () => Promise.resolve(),
};

function startSubscription(
  { eventLog, bus, clock, log, onDefect }: DeliveryParts,
  { namespace, filter, isAutoack, pace, subscriber }: EphemeralRequest,
  { reference, onClose, ...start }: Start,
): Attachment {
  const window = createWindow(pace.readAhead);
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
      if (filter(logged.event)) await hand(logged);
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
  const attachment: Attachment = {
    subscription: () => reference,
    isActive: () => true,
    acknowledge(eventId) {
      const isKnown = window.acknowledge(eventId);
      loop.wake();
      return isKnown;
    },
    async close() {
      onClose(attachment);
      await loop.stop();
    },
  };
  loop.start();
  return attachment;
}

const rested: Step = { hasWorked: false, rings: [] };
