import type { Clock } from '../../ports/clock.js';

/** A cache of content that was just added, by CID: all other nodes request a payload as soon as it is stored. */
export interface RecentContents {
  keep(cid: string, bytes: Uint8Array): void;
  /** The bytes of a content; undefined if they are not, or no longer, in the cache. */
  find(cid: string): Uint8Array | undefined;
}

/** After this, the file is read, so that damage of it is noticed. */
const maxAgeMs = 10_000;
const maxBytes = 4_194_304;

export function createRecentContents({ monotonicMs }: Pick<Clock, 'monotonicMs'>): RecentContents {
  /** Oldest first. */
  const contents = new Map<string, { readonly bytes: Uint8Array; readonly untilMs: number }>();
  let keptBytes = 0;

  function forget(cid: string): void {
    keptBytes -= contents.get(cid)?.bytes.length ?? 0;
    contents.delete(cid);
  }

  return {
    keep(cid, bytes) {
      forget(cid);
      contents.set(cid, { bytes, untilMs: monotonicMs() + maxAgeMs });
      keptBytes += bytes.length;
      for (const [oldest, { untilMs }] of contents) {
        if (keptBytes <= maxBytes && untilMs > monotonicMs()) break;
        forget(oldest);
      }
    },
    find(cid) {
      const content = contents.get(cid);
      if (content === undefined || content.untilMs > monotonicMs()) return content?.bytes;
      forget(cid);
      return undefined;
    },
  };
}
