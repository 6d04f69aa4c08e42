import type { DeliveredEvent } from '../wire/event.js';

/** An event that was handed to the reader. */
export interface EventItem {
  readonly kind: 'event';
  readonly event: DeliveredEvent;
  /** As served. */
  readonly text: string;
  /** Says that its work is done; again means nothing. */
  acknowledge(): void;
}

/** What a stream has handed out, over all its connections: each event once. */
export interface Deliveries {
  /** Sequence of the last one; undefined before the first. */
  lastSequence(): number | undefined;
  /**
   * The item for an event that came, or undefined for one that was handed out before: a durable subscription repeats
   * what a lost connection has left unacknowledged. `tell` acknowledges it on the connection on which it came.
   */
  take(event: DeliveredEvent, text: string, tell: () => void): EventItem | undefined;
}

/** Events come in order of sequence on every connection, so one that is not above the last has been handed out. */
export function createDeliveries(): Deliveries {
  let last: number | undefined;
  /** Handed out and not acknowledged yet, with the way to tell the node on the newest connection: a window at most. */
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
