/** One batch that was sealed: what is in it, and how long sealing took until it was on disk. */
export interface Flush {
  readonly key: string;
  readonly kind: 'broadcast' | 'private';
  readonly messages: number;
  /** Data items, each once. */
  readonly items: number;
  /** Size of its payload. */
  readonly sizeBytes: number;
  readonly timeMs: number;
}

/**
 * The batches that a node has sealed since its start, per key and kind (docs/api.md §21.3).
 */
export interface Flushes {
  add(flush: Flush): void;
  /** Means over the batches of this life; undefined before the first. */
  averageOf(key: string, kind: Flush['kind']): Averages | undefined;
}

export type Averages = Pick<Flush, 'messages' | 'items' | 'sizeBytes' | 'timeMs'>;

/** An account that is empty at every start. */
export function createFlushes(): Flushes {
  const sums = new Map<string, Averages & { readonly batches: number }>();
  return {
    add({ key, kind, messages, items, sizeBytes, timeMs }) {
      const lane = laneOf(key, kind);
      const sum = sums.get(lane) ?? { batches: 0, messages: 0, items: 0, sizeBytes: 0, timeMs: 0 };
      sums.set(lane, {
        batches: sum.batches + 1,
        messages: sum.messages + messages,
        items: sum.items + items,
        sizeBytes: sum.sizeBytes + sizeBytes,
        timeMs: sum.timeMs + timeMs,
      });
    },
    averageOf(key, kind) {
      const sum = sums.get(laneOf(key, kind));
      if (sum === undefined) return undefined;
      const { batches, messages, items, sizeBytes, timeMs } = sum;
      return {
        messages: messages / batches,
        items: items / batches,
        sizeBytes: sizeBytes / batches,
        timeMs: timeMs / batches,
      };
    },
  };
}

function laneOf(key: string, kind: Flush['kind']): string {
  return `${kind}/${key}`;
}
