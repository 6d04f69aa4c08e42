import { assert } from '../../../domain/invariant.js';
import type { Database } from '../../../ports/database.js';
import type { EventRow } from '../../../ports/tables/tables.js';
import { type Test, above, atMost, both, every } from '../../../ports/tables/where.js';
import type { Integrity } from '../../records/integrity.js';
import { isAboutMessage, readReferred, type Referred } from '../../records/referred.js';
import { type Entry, entryAt, indexAfter, type Page, pageAfter, pageSpan, renderedBytes } from './event-page.js';
import { createEventTail } from './event-tail.js';
import { renderEvent, type RenderedEvent } from './event-text.js';
import { createPageCache, type PageCache } from './page-cache.js';

/** The next events after a sequence, of all namespaces. */
export interface EventRange {
  /** Lowest first; empty if there are none. */
  readonly events: readonly EventRow[];
  /** The sequence up to which these are all events after the given one. */
  readonly end: number;
}

/** Reads events in order of insertion, once for all subscribers. */
export interface EventLog {
  /** Sequence of the newest event at the time of the call or later; 0 before the first. */
  newest(): Promise<number>;
  /** Returns at most a page of events after a sequence; empty only if there were none at the time of the call. */
  after(sequence: number): Promise<EventRange>;
  /** Returns what `after` would, if it is in memory. */
  peek(sequence: number): EventRange | undefined;
  /**
   * Returns the first `count` of these events, rendered with the records that they refer to. If records must be read,
   * they are read for all given sequences, since these are needed next.
   */
  load(sequences: readonly number[], count: number): Promise<readonly RenderedEvent[]>;
}

/**
 * Limit of cached pages with their rendered events: about seven hundred rendered events. A larger cache costs more in
 * garbage collection.
 */
const maxCachedBytes = 3 * 1024 * 1024;
/** Events are rendered in batches of at least this many, unless they are needed at once. */
const minFill = 64;

/** Returns the reason why a stored message must not be served, or undefined. */
export type FindDamage = Integrity['damageOfText'];

/** Creates the event log of a database. Nothing is read before the first call. */
export function createEventLog(database: Database, damageOf: FindDamage = () => undefined): EventLog {
  const read = (sequence: Test<number>, limit: number) =>
    database.rows('events', { namespace: every, sequence }, { limit });
  const cache = createPageCache({
    read: (number) => read(both(above(number * pageSpan), atMost((number + 1) * pageSpan)), pageSpan),
    maxBytes: maxCachedBytes,
  });
  const tail = createEventTail({
    read: (after, limit) => read(above(after), limit),
    newest: () => newestSequence(database),
    keep: cache.keep,
  });

  function pageOf(sequence: number): Page | Promise<Page> {
    const number = pageAfter(sequence);
    const last = tail.page();
    return last?.number === number ? last : (cache.peek(number) ?? cache.get(number));
  }

  /** Returns the events of a page after a sequence, and starts reading the next page for a reader that replays. */
  function rangeOf(page: Page, sequence: number): EventRange {
    const last = tail.page();
    if (last !== undefined && page.number + 1 < last.number) cache.prepare(page.number + 1);
    const events = page.entries.slice(indexAfter(page, sequence)).map(({ event }) => event);
    return { events, end: page === last ? tail.known() : (page.number + 1) * pageSpan };
  }

  return {
    async newest() {
      let isMore = true;
      while (isMore) isMore = await tail.look();
      return tail.known();
    },
    async after(sequence) {
      if (tail.page() === undefined || sequence >= tail.known()) await tail.look();
      if (sequence >= tail.known()) return { events: [], end: sequence };
      const found = pageOf(sequence);
      return rangeOf(found instanceof Promise ? await found : found, sequence);
    },
    peek(sequence) {
      const last = tail.page();
      if (last === undefined || sequence >= tail.known()) return undefined;
      const number = pageAfter(sequence);
      const page = last.number === number ? last : cache.peek(number);
      return page === undefined ? undefined : rangeOf(page, sequence);
    },
    load: createLoad({ database, damageOf }, pageOf, cache),
  };
}

function createLoad(
  { database, damageOf }: { readonly database: Database; readonly damageOf: FindDamage },
  pageOf: (sequence: number) => Page | Promise<Page>,
  cache: PageCache,
): EventLog['load'] {
  async function entriesOf(sequences: readonly number[]): Promise<Entry[]> {
    const entries: Entry[] = [];
    let page: Page | undefined;
    for (const sequence of sequences) {
      if (page?.number !== pageAfter(sequence - 1)) {
        const found = pageOf(sequence - 1);
        page = found instanceof Promise ? await found : found;
      }
      const entry = entryAt(page, sequence);
      assert(entry !== undefined, 'an event that was read once is there again');
      entries.push(entry);
    }
    return entries;
  }

  async function fill(entries: readonly Entry[]): Promise<void> {
    try {
      const events = entries.map(({ event }) => event);
      const referred = await readReferred(database, events);
      entries.forEach((entry, index) => {
        const found = referred[index];
        assert(found !== undefined, 'each event has its answer');
        assert(
          found.message !== undefined || !isAboutMessage(entry.event),
          'an event refers to a message that is here',
        );
        entry.rendered = renderEvent(entry.event, withoutDamage(entry.event, found, damageOf));
        cache.grow(entry.page, renderedBytes(entry.rendered));
      });
    } finally {
      for (const entry of entries) entry.loading = undefined;
    }
  }

  function begin(entries: readonly Entry[]): void {
    const loading = fill(entries);
    // Callers that wait for it get the error; others read again.
    loading.catch(() => undefined);
    for (const entry of entries) entry.loading = loading;
  }

  return async (sequences, count) => {
    const entries = await entriesOf(sequences);
    const first = entries.slice(0, count);
    const missing = entries.filter(isUntouched);
    if (missing.length >= minFill || first.some(isUntouched)) begin(missing);
    if (!first.every(isRendered)) await Promise.all(new Set(first.flatMap((entry) => entry.loading ?? [])));
    assert(first.every(isRendered), 'an event is rendered when it was loaded');
    return first.map(({ rendered }) => rendered);
  };
}

/** Replaces a message that does not match its hash by an error in the event. */
function withoutDamage(event: EventRow, found: Referred, damageOf: FindDamage): Referred {
  if (found.message === undefined) return found;
  const damage = damageOf(found.message, { id: event.reference, hash: event.referenceHash });
  return damage === undefined ? found : { message: undefined, embedded: { error: damage.message } };
}

function isUntouched({ rendered, loading }: Entry): boolean {
  return rendered === undefined && loading === undefined;
}

function isRendered(entry: Entry): entry is Entry & { readonly rendered: RenderedEvent } {
  return entry.rendered !== undefined;
}

async function newestSequence(database: Database): Promise<number> {
  const row = await database.last('events', { namespace: every });
  return row?.sequence ?? 0;
}
