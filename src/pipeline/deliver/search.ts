import type { Filter } from '../../domain/filter.js';
import type { EventLog, Stretch } from './event-log.js';
import type { Slices } from './slices.js';

/** Searches the event log for the events that match a subscription, in order. */
export interface Search {
  /** How many events match and are not taken yet. */
  readonly count: number;
  /** Up to it, nothing matches but what is found. */
  readonly end: number;
  /** The sequence of the first that is found; undefined when there is none. */
  readonly next: number | undefined;
  /** The sequences of what is found, lowest first, so many at most. */
  found(count: number): readonly number[];
  /** Looks at the next events, a page at most. False when there are none. */
  advance(): Promise<boolean>;
  /** Looks at what is here of the next events already, a page at most. */
  lookAhead(): Promise<void> | undefined;
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
  /** Told when the end has moved. */
  readonly onAdvance: () => void;
}

export function createSearch({ eventLog, slices, namespace, onAdvance, ...start }: SearchParts): Search {
  let { filter } = start;
  let end = start.start;
  let found: number[] = [];
  /** How many of what is found are taken. */
  let taken = 0;
  /** Changes when the search is restarted: what is being read then is not judged. */
  let round = 0;

  function judge(stretch: Stretch): Promise<void> | undefined {
    for (const event of stretch.events) {
      if (event.namespace === namespace && filter(event)) found.push(event.sequence);
    }
    end = stretch.end;
    onAdvance();
    return slices.spend(stretch.events.length);
  }

  return {
    get count() {
      return found.length - taken;
    },
    get end() {
      return end;
    },
    get next() {
      return found[taken];
    },
    found: (count) => found.slice(taken, taken + count),
    async advance() {
      const before = round;
      const stretch = await eventLog.after(end);
      if (round !== before) return true;
      if (stretch.end === end) return false;
      await judge(stretch);
      return true;
    },
    lookAhead() {
      const stretch = eventLog.peek(end);
      return stretch === undefined ? undefined : judge(stretch);
    },
    take(count) {
      taken += count;
      if (taken < found.length && taken < maxTaken) return;
      found = found.slice(taken);
      taken = 0;
    },
    restart(sequence, changed) {
      filter = changed;
      end = sequence;
      [found, taken] = [[], 0];
      round += 1;
    },
  };
}

/** To forget what is taken costs as much as what is left, so it is not done each time. */
const maxTaken = 256;
