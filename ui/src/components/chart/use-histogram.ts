import { useMemo, useRef } from 'react';
import type { Client } from '../../../../src/client/client.js';
import { countOf } from '../../api/count.js';
import { systemNamespace } from '../../api/client-of.js';
import { usePlace } from '../../api/explorer.js';
import { useRead } from '../../api/read.js';
import { nodeNow } from '../../api/node-clock.js';
import { chartRange, maxBuckets } from './chart-range.js';
import { readDefinitions } from './definitions.js';
import { withDefinitions } from './histogram-shape.js';
import { useAtNow } from '../text/now.js';
import { usePaced } from '../paced.js';

/** The minimum interval between updates of a chart. */
const paceMs = 1_000;

/**
 * Reads the histogram of a collection over the selected time range. The node counts at most a hundred records in each
 * bucket; `isExact` reads the exact count of larger buckets, only once for a bucket in the past.
 */
export function useHistogram(collection: 'messages' | 'events', subject: string, isExact = false) {
  const { from, to } = usePlace();
  const { bucketMs } = chartRange(from, to, nodeNow());
  // The chart advances by whole buckets; events decide when it is read again.
  const toBucketEnd = (ms: number) => Math.ceil(ms / bucketMs) * bucketMs;
  const nowMs = useAtNow(toBucketEnd);
  const range = useMemo(() => chartRange(from, to, nowMs), [from, to, nowMs]);
  const counted = useRef(new Map<string, number>());
  const read = useRead(
    subject,
    ['histogram', collection, from, to, to === undefined ? 'live' : range.endMs],
    async (client, signal) => {
      const { startMs, endMs: lastMs } = chartRange(from, to, toBucketEnd(nodeNow()));
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
        const range = { collection, from: bucket.timestamp, until };
        const count = String(await countRecords(client, range, counted.current, signal));
        return { ...bucket, count, isCapped: false, types: [{ type: '', count }] };
      });
      return Promise.all(exact);
    },
    { keepsPrevious: true },
  );
  const buckets = usePaced(read.data, paceMs);
  return { range, buckets, error: read.error, retry: () => void read.refetch() };
}

interface CountedRange {
  readonly collection: string;
  readonly from: string;
  readonly until: string;
}

async function countRecords(
  client: Client,
  { collection, from, until }: CountedRange,
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
  if (Date.parse(until) < nodeNow()) counted.set(`${from} ${until}`, count);
  return count;
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
