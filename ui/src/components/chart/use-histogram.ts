import { useMemo, useRef } from 'react';
import type { Client } from '../../../../src/client/client.js';
import { countOf } from '../../api/count.js';
import { systemNamespace } from '../../api/client-of.js';
import { usePlace } from '../../api/explorer.js';
import { useRead } from '../../api/read.js';
import { chartRange, maxBuckets } from './chart-range.js';
import { readDefinitions } from './definitions.js';
import { withDefinitions } from './histogram-shape.js';
import { useAtNow } from '../text/now.js';
import { usePaced } from '../paced.js';

/** A chart advances no more often. */
const paceMs = 1_000;

/**
 * Reads the counts of a chart of the node over the range that is looked at. The node counts a hundred records of a part
 * by their types; of a part that has more, `isExact` asks for the whole number, once where the part is over.
 */
export function useHistogram(collection: 'messages' | 'events', subject: string, isExact = false) {
  const { from, to } = usePlace();
  const { bucketMs } = chartRange(from, to, Date.now());
  // Time passes in whole parts, so that a chart moves seldom; what is read again is decided by events.
  const wholeParts = (ms: number) => Math.ceil(ms / bucketMs) * bucketMs;
  const nowMs = useAtNow(wholeParts);
  const range = useMemo(() => chartRange(from, to, nowMs), [from, to, nowMs]);
  const counted = useRef(new Map<string, number>());
  const read = useRead(
    subject,
    ['histogram', collection, from, to, to === undefined ? 'live' : range.endMs],
    async (client, signal) => {
      const { startMs, endMs: lastMs } = chartRange(from, to, wholeParts(Date.now()));
      const [start, end] = [iso(startMs), iso(lastMs)];
      const hasDefinitions = collection === 'messages' && client.namespace !== systemNamespace;
      const [{ value }, definitions] = await Promise.all([
        client.getChartHistogram({
          path: { collection },
          query: { startTime: start, endTime: end, buckets: maxBuckets },
          signal,
        }),
        hasDefinitions ? readDefinitions(client, { from: start, until: end }, signal) : undefined,
      ]);
      const buckets = definitions === undefined ? value : withDefinitions(value, definitions);
      if (!isExact) return buckets;
      const exact = buckets.map(async (bucket, index) => {
        if (!bucket.isCapped) return bucket;
        const until = buckets[index + 1]?.timestamp ?? end;
        const part = { collection, from: bucket.timestamp, until };
        const count = String(await countPart(client, part, counted.current, signal));
        return { ...bucket, count, isCapped: false, types: [{ type: '', count }] };
      });
      return Promise.all(exact);
    },
    { keepsPrevious: true },
  );
  const buckets = usePaced(read.data, paceMs);
  return { range, buckets, error: read.error, retry: () => void read.refetch() };
}

interface Part {
  readonly collection: string;
  readonly from: string;
  readonly until: string;
}

async function countPart(
  client: Client,
  { collection, from, until }: Part,
  counted: Map<string, number>,
  signal: AbortSignal,
): Promise<number> {
  const known = counted.get(`${from} ${until}`);
  if (known !== undefined) return known;
  const where = new URLSearchParams([
    ['created', `[>=${from}`],
    ['created', `[<${until}`],
  ]);
  const count = await countOf(client, `${collection}?${where.toString()}`, signal);
  if (Date.parse(until) < Date.now()) counted.set(`${from} ${until}`, count);
  return count;
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
