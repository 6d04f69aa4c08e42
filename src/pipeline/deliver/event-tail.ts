import { assert } from '../../domain/invariant.js';
import type { EventRow } from '../../ports/tables.js';
import { createSharedRun } from '../shared-run.js';
import { addEvent, createPage, type Page, pageAfter, pageSpan } from './event-page.js';

/** The end of the event log, which grows. */
export interface EventTail {
  /** Looks for what is new, once for all who ask at the same time. Resolves with whether there may be more. */
  look(): Promise<boolean>;
  /** The page that still grows; before the first look there is none. */
  page(): Page | undefined;
  /** Up to here the log is known. */
  known(): number;
}

export interface EventTailParts {
  /** The next events after a sequence. */
  readonly read: (after: number, limit: number) => Promise<readonly EventRow[]>;
  readonly newest: () => Promise<number>;
  /** Takes a page that does not grow any more. */
  readonly keep: (page: Page) => void;
}

/** One look at what is new reads so many events; who is further behind reads whole pages. */
const maxNew = 2 * pageSpan;

export function createEventTail({ read, newest, keep }: EventTailParts): EventTail {
  let page: Page | undefined;
  let known = 0;

  function append(row: EventRow): void {
    assert(row.sequence > known, 'the event log grows at its end');
    const number = pageAfter(row.sequence - 1);
    if (page?.number !== number) {
      if (page !== undefined) keep(page);
      page = createPage(number);
    }
    addEvent(page, row);
    known = row.sequence;
  }

  const look = createSharedRun(async () => {
    const rows = page === undefined ? [] : await read(known, maxNew);
    if (page !== undefined && rows.length < maxNew) {
      rows.forEach(append);
      return false;
    }
    // Nobody has looked for long: what lies between is read by those who want it.
    const start = pageAfter(await newest()) * pageSpan;
    const last = await read(start, maxNew);
    [page, known] = [createPage(pageAfter(start)), start];
    last.forEach(append);
    return last.length === maxNew;
  });

  return { look, page: () => page, known: () => known };
}
