import type { Filter } from '../../domain/events/filter.js';
import type { Window } from '../../domain/events/window.js';
import type { RenderedEvent } from './events/event-text.js';
import { createSearch, type SearchParts } from './events/search.js';

/** The next events to send: first those to repeat, then new matching ones. */
export interface Queue {
  /** Returns up to `count` sequences, lowest first. */
  due(count: number): readonly number[];
  next(): number | undefined;
  /** Whether these events are still the next ones: meanwhile they may have been sent, or the filter changed. */
  isDue(events: readonly RenderedEvent[]): boolean;
  /** Marks events as in flight under an id. */
  send(id: string, sequences: readonly number[]): void;
  /** Searches further; returns false at the end of the log. */
  advance(): Promise<boolean>;
  /** Searches in memory if fewer than `count` events are due. */
  lookAhead(count: number): Promise<void> | undefined;
  /** Applies another filter to events that are not sent yet; events already skipped stay skipped. */
  change(filter: Filter): void;
}

export interface QueueParts extends Omit<SearchParts, 'start' | 'onAdvance'> {
  readonly window: Window;
  /** Called when the window has passed events that do not match. */
  readonly onPass: () => void;
}

/**
 * Creates the queue of a subscription. Events that do not match are skipped as soon as no matching event before them
 * waits, so that the position and a change of filter take effect at once.
 */
export function createQueue({ window, onPass, ...parts }: QueueParts): Queue {
  const search = createSearch({
    ...parts,
    start: window.seen,
    onAdvance() {
      if (search.count > 0) return;
      window.pass(search.end);
      onPass();
    },
  });
  const due = (count: number): readonly number[] =>
    window.repeats > 0 ? window.nextRepeats(count) : search.found(count);

  return {
    due,
    next: () => (window.repeats > 0 ? window.nextRepeats(1)[0] : search.next),
    isDue(events) {
      const sequences = due(events.length);
      return events.every(({ event }, index) => event.sequence === sequences[index]);
    },
    send(id, sequences) {
      const isNew = window.repeats === 0;
      window.send(id, sequences);
      if (!isNew) return;
      search.take(sequences.length);
      if (search.count === 0) window.pass(search.end);
    },
    advance: search.advance,
    lookAhead: (count) => (window.repeats > 0 || search.count >= count ? undefined : search.lookAhead()),
    change: (filter) => search.restart(window.seen, filter),
  };
}
