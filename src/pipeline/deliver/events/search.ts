import type { Filter } from '../../../domain/events/filter.js';
import type { EventLog, EventRange } from './event-log.js';
import type { Slices } from '../slices.js';

export interface Search {
  /** Number of events found and not taken yet. */
  readonly count: number;
  /** The sequence up to which the log is searched. */
  readonly end: number;
  readonly next: number | undefined;
  found(count: number): readonly number[];
  /** Searches the next page; returns false at the end of the log. */
  advance(): Promise<boolean>;
  /** Searches the next page if it is in memory. */
  lookAhead(): Promise<void> | undefined;
  /** Removes the first events found, because they are sent. */
  take(count: number): void;
  /** Restarts from a sequence with another filter. */
  restart(sequence: number, filter: Filter): void;
}

export interface SearchParts {
  readonly eventLog: EventLog;
  readonly slices: Slices;
  readonly namespace: string;
  readonly filter: Filter;
  readonly start: number;
  readonly onAdvance: () => void;
}

export function createSearch({ eventLog, slices, namespace, onAdvance, ...start }: SearchParts): Search {
  let { filter } = start;
  let end = start.start;
  let found: number[] = [];
  let taken = 0;
  /** Incremented on a restart, so that a read in progress is discarded. */
  let round = 0;

  function judge(range: EventRange): Promise<void> | undefined {
    for (const event of range.events) {
      if (event.namespace === namespace && filter(event)) found.push(event.sequence);
    }
    end = range.end;
    onAdvance();
    return slices.spend(range.events.length);
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
      const range = await eventLog.after(end);
      if (round !== before) return true;
      if (range.end === end) return false;
      await judge(range);
      return true;
    },
    lookAhead() {
      const range = eventLog.peek(end);
      return range === undefined ? undefined : judge(range);
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

/** Taken events are removed in batches, because each removal costs as much as there are events left. */
const maxTaken = 256;
