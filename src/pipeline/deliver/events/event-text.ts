import type { Handover } from '../../../ports/subscriber.js';
import type { EventRow } from '../../../ports/tables/tables.js';
import type { DeliveredEvent } from '../../../wire/events/event.js';
import { EventBatch } from '../../../wire/events/event-batch.js';
import { Event } from '../../../wire/events/event-record.js';
import { textOf, write } from '../../../wire/json/json.js';
import type { JsonText } from '../../../wire/scalar.js';
import { eventRecord } from '../../records/records.js';
import type { Referred } from '../../records/referred.js';

/** An event as rendered for all subscribers; a subscriber's own part goes between head and tail. */
export interface RenderedEvent {
  readonly event: EventRow;
  /** The event's own members, with the opening brace. */
  readonly head: string;
  /** The embedded records, with the closing brace. */
  readonly tail: string;
}

/** The reference to a subscription in delivered events. */
export interface SubscriptionText {
  readonly record: DeliveredEvent['subscription'];
  readonly text: JsonText;
}

/** Renders an event once for all subscribers (docs/api.md §13.1). */
export function renderEvent(event: EventRow, { message, embedded }: Referred): RenderedEvent {
  // Written in two parts, because embedded records come last. Slices are flat strings; a concatenated one retains its
  // parts until it is flattened.
  const head = write(Event, eventRecord(event)).slice(0, -1);
  return { event, head, tail: message === undefined ? write(Event, embedded).slice(1) : `"message":${message}}` };
}

function textFor({ head, tail }: RenderedEvent, { text }: SubscriptionText): string {
  return tail === '}' ? `${head},"subscription":${text}}` : `${head},"subscription":${text},${tail}`;
}

export function renderSubscription(record: DeliveredEvent['subscription']): SubscriptionText {
  return { record, text: textOf(record) };
}

/** A single event, acknowledged by its own id. */
export function oneEvent(rendered: RenderedEvent, subscription: SubscriptionText): Handover {
  const { event } = rendered;
  const textOfIt = (): string => textFor(rendered, subscription);
  return { id: event.id, events: [event], text: textOfIt, texts: () => [textOfIt()] };
}

/** A batch of events, acknowledged by the batch's id (docs/api.md §15.3). */
export function eventBatch(id: string, events: readonly RenderedEvent[], subscription: SubscriptionText): Handover {
  const { record } = subscription;
  const texts = (): string[] => events.map((rendered) => textFor(rendered, subscription));
  return {
    id,
    events: events.map(({ event }) => event),
    text: () => write(EventBatch, { type: 'event_batch', id, subscription: record, events: texts() }),
    texts,
  };
}
