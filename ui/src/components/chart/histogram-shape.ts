import type { Static } from '@sinclair/typebox';
import type { HistogramBucket } from '../../../../src/wire/chain/transaction.js';
import { type Kind, kinds } from '../record/kinds.js';

/** One bar of a chart, with the count of each series. */
export interface Bar {
  readonly startMs: number;
  readonly endMs: number;
  readonly counts: Readonly<Record<string, number>>;
  readonly total: number;
  /** Whether it contains the present, so that its counts may grow. */
  readonly isIncomplete: boolean;
  /** Whether the node stopped counting, so that there are more. */
  readonly isCapped: boolean;
}

type Bucket = Static<typeof HistogramBucket>;

/** The definitions for a namespace within a time range. */
export interface Definitions {
  /** Creation times, ascending. */
  readonly times: readonly string[];
  /** Whether there may be more after the last. */
  readonly mayBeMore: boolean;
}

/** Adds definitions to the buckets of a namespace. The node counts them in the system namespace. */
export function withDefinitions(buckets: readonly Bucket[], { times, mayBeMore }: Definitions): Bucket[] {
  const last = times.at(-1) ?? '';
  return buckets.map((bucket, index) => {
    const { timestamp, count, types } = bucket;
    const end = buckets[index + 1]?.timestamp;
    const found = times.filter((time) => time >= timestamp && (end === undefined || time < end)).length;
    const isCapped = bucket.isCapped || (mayBeMore && (end === undefined || last < end));
    if (found === 0) return { ...bucket, isCapped };
    const definitions = { type: 'definition', count: String(found) };
    return { timestamp, count: String(Number(count) + found), types: [...types, definitions], isCapped };
  });
}

/** Converts buckets to bars, each type in its series. Buckets outside of the range are left out. */
export function barsOf(
  buckets: readonly Bucket[],
  seriesOf: (type: string) => string,
  { startMs, endMs }: { readonly startMs: number; readonly endMs: number },
  nowMs: number,
): readonly Bar[] {
  const first = Date.parse(buckets[0]?.timestamp ?? '') || startMs;
  const second = Date.parse(buckets[1]?.timestamp ?? '') || endMs;
  const lengthMs = Math.max(1, second - first);
  return buckets.flatMap(({ timestamp, types, count, isCapped }) => {
    const barMs = Date.parse(timestamp);
    if (barMs < startMs || barMs >= endMs) return [];
    const counts: Record<string, number> = {};
    for (const each of types) {
      const series = seriesOf(each.type);
      counts[series] = (counts[series] ?? 0) + Number(each.count);
    }
    const isIncomplete = barMs <= nowMs && nowMs < barMs + lengthMs;
    return [{ startMs: barMs, endMs: barMs + lengthMs, counts, total: Number(count), isIncomplete, isCapped }];
  });
}

/** Converts counts to rates per second. */
export function ratesOf(bars: readonly Bar[]): readonly Bar[] {
  return bars.map((bar) => {
    const seconds = (bar.endMs - bar.startMs) / 1_000;
    const counts = Object.fromEntries(Object.entries(bar.counts).map(([series, count]) => [series, count / seconds]));
    return { ...bar, counts, total: bar.total / seconds };
  });
}

/** The top of the axis: 1, 2 or 5 times a power of ten, at least as high as the highest bar. */
export function axisTop(bars: readonly Bar[]): number {
  const highest = Math.max(0, ...bars.map(({ total }) => total));
  if (highest === 0) return 1;
  const power = Math.floor(Math.log10(highest));
  // Dividing by a power of ten, unlike multiplying by a fraction, gives exact decimals.
  const tens = (factor: number) => (power < 0 ? factor / 10 ** -power : factor * 10 ** power);
  return [1, 2, 5, 10].map(tens).find((top) => top >= highest) ?? highest;
}

export function messageSummary(bars: readonly Bar[], minutes: number): string {
  const sum = (of: (bar: Bar) => number) => bars.reduce((total, bar) => total + of(bar), 0);
  const total = sum((bar) => bar.total);
  if (total === 0) return `No messages in ${spanOf(minutes)}.`;
  const parts = kinds.flatMap((kind) => {
    const count = sum(({ counts }) => counts[kind] ?? 0);
    return count === 0 ? [] : [`${count.toLocaleString('en')} ${countedText(kind, count)}`];
  });
  const least = bars.some(({ isCapped }) => isCapped) ? 'At least ' : '';
  const number = total.toLocaleString('en');
  return `${least}${number} ${total === 1 ? 'message' : 'messages'} in ${spanOf(minutes)}: ${parts.join(', ')}.`;
}

/** The name of a kind after a number of messages. */
function countedText(kind: Kind, count: number): string {
  if (kind === 'definition') return count === 1 ? 'definition' : 'definitions';
  return kind === 'token' ? 'with tokens' : kind;
}

/** A sentence about the number and rate of the events of a chart. */
export function rateSummary(bars: readonly Bar[], minutes: number): string {
  const total = bars.reduce((sum, bar) => sum + bar.total, 0);
  if (total === 0) return `No events in ${spanOf(minutes)}.`;
  const least = bars.some(({ isCapped }) => isCapped) ? 'At least ' : '';
  const highest = Math.max(...ratesOf(bars).map((bar) => bar.total));
  const average = total / (minutes * 60);
  const number = total.toLocaleString('en');
  return (
    `${least}${number} ${total === 1 ? 'event' : 'events'} in ${spanOf(minutes)}: ` +
    `${rateText(average)} events/s on average, ${rateText(highest)} at most.`
  );
}

/** Formats a rate with two significant digits. */
export function rateText(rate: number): string {
  return rate >= 10 || rate === 0 ? String(Math.round(rate)) : String(Number(rate.toPrecision(2)));
}

function spanOf(minutes: number): string {
  if (minutes < 120) return Math.round(minutes) === 1 ? '1 minute' : `${Math.round(minutes)} minutes`;
  if (minutes < 48 * 60) return `${Math.round(minutes / 60)} hours`;
  return `${Math.round(minutes / 1_440)} days`;
}
