import { assert } from '../../../domain/invariant.js';
import type { EventRow } from '../../../ports/tables/tables.js';
import { createSharedRun } from '../../shared-run.js';
import { addEvent, createPage, type Page, pageAfter, pageSpan } from './event-page.js';

export interface EventTail {
  /** Reads new events, once for concurrent callers. Returns whether there may be more. */
  look(): Promise<boolean>;
  /** The page that still grows; undefined before the first look. */
  page(): Page | undefined;
  /** The sequence up to which the log is read. */
  known(): number;
}

export interface EventTailParts {
  readonly read: (after: number, limit: number) => Promise<readonly EventRow[]>;
  readonly newest: () => Promise<number>;
  /** Receives pages that are complete. */
  readonly keep: (page: Page) => void;
}

/** Events read in one call of `look`; readers that are further behind read whole pages. */
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
    // The tail is far behind: the events in between are read when needed.
    const start = pageAfter(await newest()) * pageSpan;
    const last = await read(start, maxNew);
    [page, known] = [createPage(pageAfter(start)), start];
    last.forEach(append);
    return last.length === maxNew;
  });

  return { look, page: () => page, known: () => known };
}
