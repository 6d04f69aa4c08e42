import type { Filter } from '../../domain/filter.js';
import type { Window } from '../../domain/window.js';
import type { WholeEvent } from './event-text.js';
import { createSearch, type SearchParts } from './search.js';

/** The events to be sent next: first those to be repeated, then those that the search has found. */
export interface Queue {
  /** Sequences, lowest first, so many at most. */
  due(count: number): readonly number[];
  /** The first of them; undefined when there is none. */
  next(): number | undefined;
  /** Whether these are the next: after a wait they may have had their turn, or be judged anew. */
  isDue(events: readonly WholeEvent[]): boolean;
  /** The next so many are on their way, acknowledged by this id. */
  send(id: string, sequences: readonly number[]): void;
  /** Looks for more. False when there is nothing more. */
  advance(): Promise<boolean>;
  /** Looks for more among what is here already, when fewer than so many are due. */
  lookAhead(count: number): Promise<void> | undefined;
  /** Judges by another filter what is not sent yet, but for what was looked at and does not match. */
  change(filter: Filter): void;
}

export interface QueueParts extends Omit<SearchParts, 'start' | 'onAdvance'> {
  readonly window: Window;
  /** Told when the window was moved over what does not match. */
  readonly onPass: () => void;
}

/**
 * Creates the queue of a subscription. An event that was searched and does not match counts as passed as soon as no
 * matching event before it waits: the position and a change of the filter reflect it at once.
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
