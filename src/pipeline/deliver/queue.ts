import type { Window } from '../../domain/window.js';
import type { WholeEvent } from './event-text.js';
import type { Search } from './search.js';

/** What is to be sent next: what must be sent again, then what the search has found. */
export interface Queue {
  /** Sequences, lowest first, so many at most. */
  due(count: number): readonly number[];
  /** Whether these are the next: after a wait they may have had their turn, or be judged anew. */
  isDue(events: readonly WholeEvent[]): boolean;
  /** The next so many are on their way, acknowledged by this id. */
  send(id: string, sequences: readonly number[]): void;
  /** Looks for more. False when there is nothing more. */
  advance(): Promise<boolean>;
  /** What was looked at and does not match is behind us, unless something that matches is waiting. */
  passOver(): void;
}

/** @param onPass told when the window was moved over what does not match */
export function createQueue(window: Window, search: Search, onPass: () => void): Queue {
  const due = (count: number): readonly number[] =>
    window.repeats > 0 ? window.nextRepeats(count) : search.found.slice(0, count);

  function passOver(): void {
    if (search.found.length > 0) return;
    window.pass(search.end);
    onPass();
  }

  return {
    due,
    isDue(events) {
      const sequences = due(events.length);
      return events.every(({ logged }, index) => logged.event.sequence === sequences[index]);
    },
    send(id, sequences) {
      if (window.repeats === 0) search.take(sequences.length);
      window.send(id, sequences);
    },
    async advance() {
      const isMore = await search.advance();
      passOver();
      return isMore;
    },
    passOver,
  };
}
