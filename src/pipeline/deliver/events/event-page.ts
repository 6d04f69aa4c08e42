import type { EventRow } from '../../../ports/tables/tables.js';
import type { RenderedEvent } from './event-text.js';

/** Sequences in a page: page n has those above n × 256, up to and including (n + 1) × 256. */
export const pageSpan = 256;

/** An event of a page, rendered on demand. */
export interface Entry {
  readonly page: Page;
  readonly event: EventRow;
  rendered?: RenderedEvent;
  /** Settles when `rendered` is set or could not be read. */
  loading?: Promise<void> | undefined;
}

/** The events of all namespaces in one span of sequences, lowest first. */
export interface Page {
  readonly number: number;
  readonly entries: Entry[];
  /** Approximate size in memory. */
  sizeBytes: number;
}

/** Returns the number of the page with the next event after a sequence. */
export function pageAfter(sequence: number): number {
  return Math.floor(sequence / pageSpan);
}

export function createPage(number: number, events: readonly EventRow[] = []): Page {
  const page: Page = { number, entries: [], sizeBytes: 0 };
  for (const event of events) addEvent(page, event);
  return page;
}

export function addEvent(page: Page, event: EventRow): void {
  page.entries.push({ page, event });
  page.sizeBytes += rowBytes(event);
}

export function indexAfter({ entries }: Page, sequence: number): number {
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((entries[middle]?.event.sequence ?? 0) > sequence) high = middle;
    else low = middle + 1;
  }
  return low;
}

export function entryAt(page: Page, sequence: number): Entry | undefined {
  const entry = page.entries[indexAfter(page, sequence - 1)];
  return entry?.event.sequence === sequence ? entry : undefined;
}

/** Measured size of a row without its variable texts. */
const eventBytes = 1_200;
const textBytes = 200;

function rowBytes({ topics }: EventRow): number {
  return eventBytes + topics.reduce((sum, topic) => sum + 32 + topic.length, 0);
}

export function renderedBytes({ head, tail }: RenderedEvent): number {
  return textBytes + head.length + tail.length;
}
