import type { Clock } from '../../ports/clock.js';

/** Contents that were added a moment ago, by CID: a payload is asked for by all other nodes as soon as it is there. */
export interface Recent {
  keep(cid: string, bytes: Uint8Array): void;
  /** The bytes of a content; undefined when it was not added just now. */
  find(cid: string): Uint8Array | undefined;
}

/** Afterwards the file is read, and damage of it found. */
const maxAgeMs = 10_000;
const maxBytes = 4_194_304;

export function createRecent({ monotonicMs }: Pick<Clock, 'monotonicMs'>): Recent {
  /** The oldest first. */
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
