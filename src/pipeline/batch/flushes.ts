/** Statistics of one sealed batch; `timeMs` is the time until it was on disk. */
export interface Flush {
  readonly key: string;
  readonly kind: 'broadcast' | 'private';
  readonly messages: number;
  /** Distinct data items. */
  readonly items: number;
  readonly sizeBytes: number;
  readonly timeMs: number;
}

/** Statistics of the batches sealed since start, by key and kind (docs/api.md §21.3). */
export interface Flushes {
  add(flush: Flush): void;
  /** Averages since start; undefined before the first batch. */
  averageOf(key: string, kind: Flush['kind']): Averages | undefined;
}

export type Averages = Pick<Flush, 'messages' | 'items' | 'sizeBytes' | 'timeMs'>;

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
