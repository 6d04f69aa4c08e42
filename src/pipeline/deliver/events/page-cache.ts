import { createPage, type Page } from './event-page.js';
import type { EventRow } from '../../../ports/tables/tables.js';

export interface PageCache {
  peek(number: number): Page | undefined;
  /** Returns a page, reading it if necessary, once for concurrent callers. */
  get(number: number): Promise<Page>;
  /** Starts reading a page that is needed soon, unless another read would have to wait for it. */
  prepare(number: number): void;
  keep(page: Page): void;
  /** Accounts for a page that has grown. */
  grow(page: Page, bytes: number): void;
}

export interface PageCacheParts {
  readonly read: (number: number) => Promise<readonly EventRow[]>;
  readonly maxBytes: number;
}

/** Concurrent reads, so that replays do not slow down other users of the database. */
const maxReads = 2;

/** Creates a cache that evicts the pages least recently used. */
export function createPageCache({ read, maxBytes }: PageCacheParts): PageCache {
  const pages = new Map<number, Page>();
  const reading = new Map<number, Promise<Page>>();
  const slots = createReadSlots();
  let sizeBytes = 0;

  function keep(page: Page): void {
    forget(page.number);
    pages.set(page.number, page);
    sizeBytes += page.sizeBytes;
    trim();
  }

  function forget(number: number): void {
    sizeBytes -= pages.get(number)?.sizeBytes ?? 0;
    pages.delete(number);
  }

  function trim(): void {
    for (const number of pages.keys()) {
      if (sizeBytes <= maxBytes || pages.size <= 1) return;
      forget(number);
    }
  }

  function peek(number: number): Page | undefined {
    const page = pages.get(number);
    if (page === undefined) return undefined;
    pages.delete(number);
    pages.set(number, page);
    return page;
  }

  async function readPage(number: number): Promise<Page> {
    await slots.acquire();
    try {
      const page = createPage(number, await read(number));
      keep(page);
      return page;
    } finally {
      reading.delete(number);
      slots.release();
    }
  }

  function begin(number: number): Promise<Page> {
    const wanted = reading.get(number) ?? readPage(number);
    if (!reading.has(number)) reading.set(number, wanted);
    return wanted;
  }

  return {
    peek,
    get: async (number) => peek(number) ?? begin(number),
    prepare(number) {
      if (pages.has(number) || reading.has(number) || slots.areTaken()) return;
      // On an error the page is read again when needed.
      begin(number).catch(() => undefined);
    },
    keep,
    grow(page, bytes) {
      page.sizeBytes += bytes;
      if (pages.get(page.number) !== page) return;
      sizeBytes += bytes;
      trim();
    },
  };
}

/** Limits concurrent reads; further reads wait in order. */
function createReadSlots() {
  const waiting: (() => void)[] = [];
  let reads = 0;
  return {
    areTaken: () => reads >= maxReads,
    async acquire(): Promise<void> {
      while (reads >= maxReads) await new Promise<void>((resolve) => waiting.push(resolve));
      reads += 1;
    },
    release(): void {
      reads -= 1;
      waiting.shift()?.();
    },
  };
}
