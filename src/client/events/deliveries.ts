import type { DeliveredEvent } from '../../wire/events/event.js';

/** A delivered event. */
export interface EventItem {
  readonly kind: 'event';
  readonly event: DeliveredEvent;
  /** The event as served. */
  readonly text: string;
  /** Acknowledges the event; further calls have no effect. */
  acknowledge(): void;
}

/** Tracks the events that a stream has delivered, over all its connections, so that each is delivered once. */
export interface Deliveries {
  /** Sequence of the latest event; undefined before the first. */
  lastSequence(): number | undefined;
  /**
   * Returns the item for a received event, or undefined for one delivered before: a durable subscription repeats the
   * events that were unacknowledged when a connection was lost. `sendAck` acknowledges the event on the connection on
   * which it arrived.
   */
  take(event: DeliveredEvent, text: string, sendAck: () => void): EventItem | undefined;
}

/**
 * Creates the tracker. Events arrive in order of sequence on every connection, so an event whose sequence is not above
 * the latest is a repeat.
 */
export function createDeliveries(): Deliveries {
  let last: number | undefined;
  /**
   * Delivered and unacknowledged events by id, at most a window, with the function that acknowledges each on the newest
   * connection.
   */
  const open = new Map<string, () => void>();
  return {
    lastSequence: () => last,
    take(event, text, sendAck) {
      const { id, sequence } = event;
      if (last !== undefined && sequence <= last) {
        if (open.has(id)) open.set(id, sendAck);
        else sendAck();
        return undefined;
      }
      last = sequence;
      open.set(id, sendAck);
      const acknowledge = () => {
        open.get(id)?.();
        open.delete(id);
      };
      return { kind: 'event', event, text, acknowledge };
    },
  };
}
