import type { Static } from '@sinclair/typebox';
import { useMemo, useRef } from 'react';
import type { Client } from '../../../../src/client/client.js';
import type { HistogramBucket } from '../../../../src/wire/chain/transaction.js';
import { countOf } from '../../api/count.js';
import { systemNamespace } from '../../api/client-of.js';
import { usePlace } from '../../api/explorer.js';
import { useRead } from '../../api/read.js';
import { nodeNow } from '../../api/node-clock.js';
import { chartRange, maxBuckets } from './chart-range.js';
import { readDefinitions } from './definitions.js';
import { exactBucket, isStillCounted } from './exact-counts.js';
import { withDefinitions } from './histogram-shape.js';
import { useAtNow } from '../text/now.js';
import { usePaced } from '../paced.js';

type Bucket = Static<typeof HistogramBucket>;

/** The minimum interval between updates of a chart. */
const paceMs = 1_000;

/**
 * Reads the histogram of a collection over the selected time range. The node counts at most a hundred records in each
 * bucket; larger buckets are counted exactly, each of `types` on its own.
 */
export function useHistogram(collection: 'messages' | 'events', subject: string, types: readonly string[]) {
  const { from, to } = usePlace();
  const { bucketMs } = chartRange(from, to, nodeNow());
  // The chart advances by whole buckets; events decide when it is read again.
  const toBucketEnd = (ms: number) => Math.ceil(ms / bucketMs) * bucketMs;
  const nowMs = useAtNow(toBucketEnd);
  const range = useMemo(() => chartRange(from, to, nowMs), [from, to, nowMs]);
  const counted = useRef<CountedBuckets>(new Map());
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
      const exact = value.map((bucket, index) => {
        const where = { collection, from: bucket.timestamp, until: value[index + 1]?.timestamp ?? end };
        return countBucket(client, bucket, { where, types, counted: counted.current, signal });
      });
      const buckets = await Promise.all(exact);
      return definitions === undefined ? buckets : withDefinitions(buckets, definitions);
    },
    { keepsPrevious: true },
  );
  const buckets = usePaced(read.data, paceMs);
  return { range, buckets, error: read.error, retry: () => void read.refetch() };
}

/** Exact counts by the bounds of their bucket. */
type CountedBuckets = Map<string, { readonly bucket: Bucket; readonly countedMs: number }>;

interface CountOptions {
  readonly where: { readonly collection: string; readonly from: string; readonly until: string };
  readonly types: readonly string[];
  readonly counted: CountedBuckets;
  readonly signal: AbortSignal;
}

/** Returns the bucket with all its records counted. */
async function countBucket(client: Client, bucket: Bucket, { where, types, counted, signal }: CountOptions) {
  if (!bucket.isCapped) return bucket;
  const { collection, from, until } = where;
  const key = `${from} ${until}`;
  const known = counted.get(key);
  const countedMs = nodeNow();
  if (known !== undefined && isStillCounted(Date.parse(until), known.countedMs, countedMs)) return known.bucket;
  const found = await exactBucket(bucket, types, (type) => {
    const query = new URLSearchParams([
      ['created', `[>=${from}`],
      ['created', `[<${until}`],
      ...(type === undefined ? [] : [['type', type]]),
    ]);
    return countOf(client, `${collection}?${query.toString()}`, signal);
  });
  counted.set(key, { bucket: found, countedMs });
  return found;
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
