import type { Database } from '../../ports/database.js';
import { type Test, atLeast, below, both } from '../../ports/tables/where.js';
import { ServiceError } from '../../wire/errors/error.js';
import { nearestHint } from '../../wire/lists/query.js';
import { epochMsOf, readMoment, timeOf } from '../../wire/time.js';
import type { HistogramBucket } from '../../wire/chain/transaction.js';

/** The request for a chart. */
export interface HistogramRequest {
  readonly namespace: string;
  readonly collection: string;
  /** startTime, endTime, buckets. */
  readonly query: ReadonlyMap<string, string>;
  /** The default end of a chart. */
  readonly now: string;
}

/** Defines a chart: it counts rows of a table by time and by `typeOf`. */
interface Chart {
  /** Returns the types of the records in a time interval, the earliest first. */
  readonly read: (parts: ChartRead) => Promise<readonly string[]>;
}

interface ChartRead {
  readonly database: Database;
  readonly namespace: string;
  readonly time: Test<string>;
  readonly limit: number;
}

/** The charts by collection. */
const charts: Readonly<Record<string, Chart>> = {
  messages: chartOf('messages'),
  transactions: chartOf('transactions'),
  operations: chartOf('operations'),
  events: chartOf('events'),
  tokentransfers: chartOf('transfers'),
  blockchainevents: {
    async read({ database, namespace, time, limit }) {
      const rows = await database.rows('blockchainevents', { namespace, timestamp: time }, { limit, by: 'timestamp' });
      return rows.map(({ name }) => name);
    },
  },
};

function chartOf(table: 'messages' | 'transactions' | 'operations' | 'events' | 'transfers'): Chart {
  return {
    async read({ database, namespace, time, limit }) {
      const rows = await database.rows(table, { namespace, created: time }, { limit, by: 'created' });
      return rows.map(({ type }) => type);
    },
  };
}

const minBuckets = 1;
const maxBuckets = 100;
const defaultBuckets = 24;
const defaultSpanMs = 24 * 60 * 60 * 1_000;
/** Maximum number of records counted in each interval (docs/api.md §22). */
const maxCounted = 100;

/**
 * Counts the records of each type in equal time intervals (docs/api.md §21.3). Counts are texts, as FireFly's clients
 * expect.
 *
 * @throws ServiceError not_charted, bad_chart_parameter, bad_buckets, bad_chart_times
 */
export async function readHistogram(database: Database, request: HistogramRequest): Promise<HistogramBucket[]> {
  const { namespace, query, now } = request;
  const chart = chartNamed(request.collection);
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
    counted.push(await countBucket(database, chart, namespace, bounds));
  }
  return counted;
}

async function countBucket(
  database: Database,
  { read }: Chart,
  namespace: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<HistogramBucket> {
  const time = both(atLeast(from), below(to));
  const rows = await read({ database, namespace, time, limit: maxCounted + 1 });
  const types = new Map<string, number>();
  for (const type of rows.slice(0, maxCounted)) types.set(type, (types.get(type) ?? 0) + 1);
  return {
    count: String(Math.min(rows.length, maxCounted)),
    timestamp: from,
    types: [...types].sort().map(([type, count]) => ({ count: String(count), type })),
    isCapped: rows.length > maxCounted,
  };
}

function chartNamed(name: string): Chart {
  const wanted = name.toLowerCase();
  const found = Object.hasOwn(charts, wanted) ? charts[wanted] : undefined;
  if (found !== undefined) return found;
  throw new ServiceError('not_charted', { actual: name, hint: nearestHint(name, Object.keys(charts)) });
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
