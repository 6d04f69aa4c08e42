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
   * events that were unacknowledged when a connection was lost. `tell` acknowledges the event on the connection on
   * which it arrived.
   */
  take(event: DeliveredEvent, text: string, tell: () => void): EventItem | undefined;
}

/**
 * Creates the tracker. Events arrive in order of sequence on every connection, so one that is not above the latest is a
 * repeat.
 */
export function createDeliveries(): Deliveries {
  let last: number | undefined;
  /**
   * Delivered and unacknowledged events, with the function that acknowledges each on the newest connection; at most a
   * window.
   */
  const open = new Map<string, () => void>();
  return {
    lastSequence: () => last,
    take(event, text, tell) {
      const { id, sequence } = event;
      if (last !== undefined && sequence <= last) {
        if (open.has(id)) open.set(id, tell);
        else tell();
        return undefined;
      }
      last = sequence;
      open.set(id, tell);
      const acknowledge = () => {
        open.get(id)?.();
        open.delete(id);
      };
      return { kind: 'event', event, text, acknowledge };
    },
  };
}
