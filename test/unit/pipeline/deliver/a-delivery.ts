import { createManualClock } from '../../../../src/adapters/clock/manual.js';
import { createMemoryDatabase } from '../../../../src/adapters/database/memory/memory.js';
import { createSilentLog } from '../../../../src/adapters/log/silent.js';
import { createSeededRandom } from '../../../../src/adapters/random/seeded.js';
import { rawMembersOf, textMember } from '../../../../src/bench/check/raw-json.js';
import { compileFilter } from '../../../../src/domain/events/filter.js';
import { topicPin } from '../../../../src/domain/messages/pin.js';
import { createBus } from '../../../../src/pipeline/bus.js';
import { createDelivery } from '../../../../src/pipeline/deliver/deliver.js';
import type { AttachRequest, EphemeralRequest } from '../../../../src/pipeline/deliver/delivery.js';
import { createEventLog } from '../../../../src/pipeline/deliver/events/event-log.js';
import { newMessage } from '../../../../src/pipeline/state/messages/message-row.js';
import { newMessageEvent } from '../../../../src/pipeline/state/events/event-row.js';
import type { SubscriptionRow } from '../../../../src/ports/tables/messaging-tables.js';
import type { Handover, Subscriber } from '../../../../src/ports/subscriber.js';
import { every } from '../../../../src/ports/tables/where.js';
import { textOf } from '../../../../src/wire/json/json.js';
import { aMessage, uuid } from '../../../support/fixtures.js';

const now = '2026-01-15T10:00:00.000Z';

export interface NewEvent {
  readonly number: number;
  /** The number in the id of its message, by default that of the event. */
  readonly message?: number;
  readonly topics?: string[];
  readonly tag?: string;
  readonly namespace?: string;
}

/** A subscription, with defaults for all fields. */
export interface NewSubscription {
  readonly id?: string;
  readonly name?: string;
  readonly transport?: 'websockets' | 'webhooks';
  readonly filter?: object;
  readonly options?: object;
  readonly cursor?: number;
}

/** Creates a delivery on a new database; `restart` creates another one on the same database. */
export function aDelivery({ reach = () => Promise.resolve() }: { reach?: (name: string) => Promise<void> } = {}) {
  const database = createMemoryDatabase();
  const clock = createManualClock();
  const defects: Error[] = [];
  let bus = createBus();
  let starts = 0;

  function start() {
    starts += 1;
    return createDelivery({
      database,
      eventLog: createEventLog(database),
      bus,
      clock,
      random: createSeededRandom(starts),
      log: createSilentLog(),
      failpoint: { reach },
      onDefect: (error) => defects.push(error),
    });
  }

  /** Stores a message with its event. */
  async function addEvent({
    number,
    message = number,
    topics = ['orders'],
    tag = 't',
    namespace = 'default',
  }: NewEvent): Promise<void> {
    const { header, hash, data } = aMessage({ id: uuid(message), topics, tag, namespace });
    const batch = { id: uuid(1), hash: 'b' };
    const pins = topics.map(topicPin);
    const stored = { items: new Map(), state: 'confirmed' as const, pins, batch, txid: uuid(2), confirmed: now };
    const row = newMessage({ header, hash, data }, stored);
    const event = { id: uuid(1_000 + number), state: 'confirmed' as const, tx: uuid(2), created: now };
    await database.transaction(async (unit) => {
      await unit.insert('messages', [row]);
      await unit.insert('events', [newMessageEvent(row, event)]);
    });
    bus.ring('events');
  }

  const aboutName = (name: string) => ({ namespace: 'default', name });

  return {
    database,
    clock,
    defects,
    delivery: start(),
    /** Creates the delivery of a node that starts after a crash. */
    restart() {
      bus = createBus();
      return start();
    },
    addEvent,
    async addEvents(...numbers: number[]) {
      for (const number of numbers) await addEvent({ number });
    },
    async addSubscription(given: NewSubscription = {}): Promise<void> {
      const { id = uuid(9_000), name = 'app', transport = 'websockets', filter = {}, options = {}, cursor = 0 } = given;
      const texts = { filter: textOf(filter), options: textOf(options) };
      const times = { created: now, updated: null };
      const row = { namespace: 'default', id, name, transport, ...texts, cursor, ...times, maker: null };
      await database.transaction((unit) => unit.insert('subscriptions', [row]));
      bus.ring('subscriptions');
    },
    async replaceSubscription({ name = 'app', filter, options, transport }: NewSubscription): Promise<void> {
      const changes = {
        updated: now,
        ...(filter !== undefined && { filter: textOf(filter) }),
        ...(options !== undefined && { options: textOf(options) }),
        ...(transport !== undefined && { transport }),
      };
      await database.transaction((unit) => unit.update('subscriptions', aboutName(name), changes));
      bus.ring('subscriptions');
    },
    async removeSubscription(name = 'app'): Promise<void> {
      await database.transaction((unit) => unit.remove('subscriptions', aboutName(name)));
      bus.ring('subscriptions');
    },
    async subscriptions(): Promise<readonly SubscriptionRow[]> {
      return database.rows('subscriptions', { namespace: every }, { limit: 100 });
    },
  };
}

/** Creates a consumer that records the handovers and the numbers of their messages. */
export function aConsumer(send: (number: number) => Promise<void> = () => Promise.resolve()) {
  const got: number[] = [];
  const handovers: Handover[] = [];
  let ended = 0;
  const subscriber: Subscriber = {
    async deliver(handover) {
      handovers.push(handover);
      const numbers = handover.texts().map((text) => numberOf(textMember(rawMembersOf(text), 'reference') ?? ''));
      got.push(...numbers);
      for (const number of numbers) await send(number);
    },
    end: () => void (ended += 1),
  };
  return {
    got,
    handovers,
    subscriber,
    /** Returns how often `end` was called. */
    ended: () => ended,
  };
}

function numberOf(id: string): number {
  return Number.parseInt(id.slice(-12), 16);
}

export function aRequest(subscriber: Subscriber, changes: Partial<EphemeralRequest> = {}): EphemeralRequest {
  const filter = compileFilter(new Map());
  return { namespace: 'default', filter, isAutoack: true, flow: { readAhead: 0 }, subscriber, ...changes };
}

export function anAttachRequest(subscriber: Subscriber, changes: Partial<AttachRequest> = {}): AttachRequest {
  return { namespace: 'default', name: 'app', transport: 'websockets', isAutoack: false, subscriber, ...changes };
}

/** Returns the id of the event with this number. */
export function eventId(number: number): string {
  return uuid(1_000 + number);
}

export function to(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}
