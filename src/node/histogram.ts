import type { Database } from '../ports/database.js';
import { ServiceError } from '../wire/error.js';
import { type Condition, nearestHint } from '../wire/query.js';
import { epochMsOf, readMoment, timeOf } from '../wire/time.js';
import type { HistogramBucket } from '../wire/transaction.js';

/** What a chart is asked to show. */
export interface HistogramRequest {
  readonly namespace: string;
  readonly collection: string;
  /** startTime, endTime, buckets. */
  readonly query: ReadonlyMap<string, string>;
  /** Where a chart ends that names no end. */
  readonly now: string;
}

const charted = ['messages', 'transactions', 'operations', 'events'] as const;
type Charted = (typeof charted)[number];

const minBuckets = 1;
const maxBuckets = 100;
const defaultBuckets = 24;
const defaultSpanMs = 24 * 60 * 60 * 1_000;
/** So many records are counted in each stretch (S §18). */
const maxCounted = 100;

/**
 * How many records of each type came in equal stretches of time (S §17.3). Counts are texts, as FireFly's clients
 * expect them.
 *
 * @throws ServiceError not_charted, bad_chart_parameter, bad_buckets, bad_chart_times
 */
export async function readHistogram(database: Database, request: HistogramRequest): Promise<HistogramBucket[]> {
  const { namespace, query, now } = request;
  const collection = chartedOf(request.collection);
  const buckets = readBuckets(query.get('buckets'));
  const endMs = readTimeMs(query, 'endTime') ?? epochMsOf(now);
  const startMs = readTimeMs(query, 'startTime') ?? endMs - defaultSpanMs;
  if (startMs >= endMs) throw new ServiceError('bad_chart_times');
  const edgesMs = Array.from(
    { length: buckets + 1 },
    (_, i) => startMs + Math.floor(((endMs - startMs) * i) / buckets),
  );
  const counted: HistogramBucket[] = [];
  for (const [i, edgeMs] of edgesMs.slice(0, -1).entries()) {
    const bounds = { from: timeOf(edgeMs), to: timeOf(edgesMs[i + 1] ?? endMs) };
    counted.push(await countBucket(database, collection, namespace, bounds));
  }
  return counted;
}

async function countBucket(
  database: Database,
  collection: Charted,
  namespace: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<HistogramBucket> {
  const where: Condition[] = [
    { field: 'created', is: 'atLeast', value: from },
    { field: 'created', is: 'below', value: to },
  ];
  const sort = [{ field: 'created' }];
  const rows = await database.find(collection, { namespace, where, sort, limit: maxCounted + 1 });
  const types = new Map<string, number>();
  for (const { type } of rows.slice(0, maxCounted)) types.set(type, (types.get(type) ?? 0) + 1);
  return {
    count: String(Math.min(rows.length, maxCounted)),
    timestamp: from,
    types: [...types].sort().map(([type, count]) => ({ count: String(count), type })),
    isCapped: rows.length > maxCounted,
  };
}

function chartedOf(name: string): Charted {
  const found = charted.find((each) => each === name.toLowerCase());
  if (found === undefined) throw new ServiceError('not_charted', { actual: name, hint: nearestHint(name, charted) });
  return found;
}

function readBuckets(given: string | undefined): number {
  if (given === undefined) return defaultBuckets;
  if (!/^\d{1,9}$/.test(given)) {
    throw new ServiceError('bad_chart_parameter', { field: 'buckets', expected: 'a whole number', actual: given });
  }
  const buckets = Number(given);
  if (buckets >= minBuckets && buckets <= maxBuckets) return buckets;
  throw new ServiceError('bad_buckets', { min: minBuckets, max: maxBuckets, actual: buckets });
}

function readTimeMs(query: ReadonlyMap<string, string>, field: string): number | undefined {
  const given = query.get(field);
  if (given === undefined) return undefined;
  const moment = readMoment(given);
  if (moment !== undefined) return epochMsOf(moment.text);
  throw new ServiceError('bad_chart_parameter', { field, expected: 'a time', actual: given });
}
