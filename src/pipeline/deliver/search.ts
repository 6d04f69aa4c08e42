import type { Filter } from '../../domain/filter.js';
import type { EventLog } from './event-log.js';
import type { Slices } from './slices.js';

/** What of the event log a subscription wants, in order. */
export interface Search {
  /** Sequences of events that match and are not taken yet, lowest first. */
  readonly found: readonly number[];
  /** Up to it, nothing matches but what is found. */
  readonly end: number;
  /** Looks at the next events, a page at most. False when there are none. */
  advance(): Promise<boolean>;
  /** The first so many of what is found are on their way. */
  take(count: number): void;
  /** Goes back to a sequence and judges anew: what was found is forgotten. */
  restart(sequence: number, filter: Filter): void;
}

export interface SearchParts {
  readonly eventLog: EventLog;
  readonly slices: Slices;
  readonly namespace: string;
  readonly filter: Filter;
  readonly start: number;
}

export function createSearch({ eventLog, slices, namespace, ...start }: SearchParts): Search {
  let { filter } = start;
  let end = start.start;
  let found: number[] = [];
  /** Changes when the search is restarted: what is being read then is not judged. */
  let round = 0;

  return {
    get found() {
      return found;
    },
    get end() {
      return end;
    },
    async advance() {
      const before = round;
      const stretch = await eventLog.after(end);
      if (round !== before) return true;
      if (stretch.end === end) return false;
      for (const event of stretch.events) {
        if (event.namespace === namespace && filter(event)) found.push(event.sequence);
      }
      end = stretch.end;
      await slices.spend(stretch.events.length);
      return true;
    },
    take(count) {
      found = found.slice(count);
    },
    restart(sequence, changed) {
      filter = changed;
      end = sequence;
      found = [];
      round += 1;
    },
  };
}
