import type { Handover } from '../../ports/subscriber.js';
import type { EventRow } from '../../ports/tables.js';
import type { DeliveredEvent } from '../../wire/event.js';
import { EventBatch } from '../../wire/event-batch.js';
import { Event } from '../../wire/event-record.js';
import { textOf, write } from '../../wire/json.js';
import type { JsonText } from '../../wire/scalar.js';
import { eventRecord } from '../records/records.js';
import type { Referred } from '../records/referred.js';

/** An event as all its subscribers get it: only what stands between head and tail is a subscriber's own. */
export interface WholeEvent {
  readonly event: EventRow;
  /** All that it has itself, with the brace before it. */
  readonly head: string;
  /** The embedded part, with the closing brace. */
  readonly tail: string;
}

/** Which subscription something is delivered on, as it stands in the text. */
export interface SubscriptionText {
  readonly record: DeliveredEvent['subscription'];
  readonly text: JsonText;
}

/** Writes an event once, for however many subscribers (docs/api.md §13.1). */
export function renderEvent(event: EventRow, { message, embedded }: Referred): WholeEvent {
  // The embedded part follows all other members of an event, so each part is written alone. Slices are flat strings: a
  // concatenated one retains all its parts until it is flattened.
  const head = write(Event, eventRecord(event)).slice(0, -1);
  return { event, head, tail: message === undefined ? write(Event, embedded).slice(1) : `"message":${message}}` };
}

function textFor({ head, tail }: WholeEvent, { text }: SubscriptionText): string {
  return tail === '}' ? `${head},"subscription":${text}}` : `${head},"subscription":${text},${tail}`;
}

/** The text of a subscription's reference, written once. */
export function renderSubscription(record: DeliveredEvent['subscription']): SubscriptionText {
  return { record, text: textOf(record) };
}

/** One event, handed over by its own id. */
export function oneEvent(whole: WholeEvent, subscription: SubscriptionText): Handover {
  const { event } = whole;
  const textOfIt = (): string => textFor(whole, subscription);
  return { id: event.id, events: [event], text: textOfIt, texts: () => [textOfIt()] };
}

/** Several events, handed over by the id of the batch (docs/api.md §15.3). */
export function eventBatch(id: string, events: readonly WholeEvent[], subscription: SubscriptionText): Handover {
  const { record } = subscription;
  const texts = (): string[] => events.map((whole) => textFor(whole, subscription));
  return {
    id,
    events: events.map(({ event }) => event),
    text: () => write(EventBatch, { type: 'event_batch', id, subscription: record, events: texts() }),
    texts,
  };
}
