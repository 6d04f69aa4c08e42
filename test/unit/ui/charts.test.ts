import { describe, expect, it } from 'vitest';
import { chartRange } from '../../../ui/src/components/chart/chart-range.js';
import { exactBucket, isStillCounted } from '../../../ui/src/components/chart/exact-counts.js';
import {
  axisTop,
  barsOf,
  messageSummary,
  ratesOf,
  rateSummary,
  withDefinitions,
} from '../../../ui/src/components/chart/histogram-shape.js';
import { kindOf } from '../../../ui/src/components/record/kinds.js';

const at = (second: number) => `2026-01-31T12:00:0${second}.000Z`;

describe('a chart', () => {
  it('has a summary and a round axis', () => {
    const counts = { broadcast: 7, private: 0, definition: 0, token: 1 };
    const bar = { startMs: 0, endMs: 1, counts, total: 8, isIncomplete: false, isCapped: false };
    expect([axisTop([bar]), axisTop([]), axisTop([{ ...bar, total: 21 }])]).toEqual([10, 1, 50]);
    expect(messageSummary([bar], 15)).toBe('8 messages in 15 minutes: 7 broadcast, 1 with tokens.');
    expect(messageSummary([{ ...bar, isCapped: true }], 15)).toMatch(/^At least 8 messages/);
  });

  it('shows a rate per second, on average and at most', () => {
    const bar = {
      startMs: 0,
      endMs: 15_000,
      counts: { 'events/s': 30 },
      total: 30,
      isIncomplete: false,
      isCapped: false,
    };
    const [rate] = ratesOf([bar]);
    expect([rate?.total, axisTop([{ ...bar, total: 0.07 }])]).toEqual([2, 0.1]);
    expect(rateSummary([bar], 15)).toBe('30 events in 15 minutes: 0.033 events/s on average, 2 at most.');
    expect(rateSummary([], 15)).toBe('No events in 15 minutes.');
    expect(rateSummary([], 1)).toBe('No events in 1 minute.');
  });

  it('sums up series, and marks the bar that is not complete', () => {
    const bucket = (second: number, count: number) => ({
      timestamp: at(second),
      count: String(count),
      isCapped: false,
      types: [{ type: 'a', count: String(count) }],
    });
    const range = { startMs: Date.parse(at(0)), endMs: Date.parse(at(4)) };
    const bars = barsOf([bucket(0, 1), bucket(2, 3), bucket(4, 5)], () => 'all', range, Date.parse(at(3)));
    expect(bars.map(({ counts, isIncomplete }) => [counts, isIncomplete])).toEqual([
      [{ all: 1 }, false],
      [{ all: 3 }, true],
    ]);
  });

  it('includes definitions in messages, and marks where there may be more', () => {
    const bucket = (second: number) => ({
      timestamp: at(second),
      count: '1',
      isCapped: false,
      types: [{ type: 'private', count: '1' }],
    });
    const buckets = [bucket(0), bucket(2), bucket(4)];
    const times = [at(1), at(2), at(3)];
    const added = withDefinitions(buckets, { times, mayBeMore: true });
    const definitions = (count: string) => ({ type: 'definition', count });
    expect(added).toEqual([
      { ...buckets[0], count: '2', types: [...(buckets[0]?.types ?? []), definitions('1')] },
      { ...buckets[1], count: '3', types: [...(buckets[1]?.types ?? []), definitions('2')], isCapped: true },
      { ...buckets[2], isCapped: true },
    ]);
    expect(withDefinitions(buckets, { times, mayBeMore: false }).some(({ isCapped }) => isCapped)).toBe(false);
    const range = { startMs: Date.parse(at(0)), endMs: Date.parse(at(6)) };
    const bars = barsOf(withDefinitions(buckets, { times, mayBeMore: false }), kindOf, range, Date.parse(at(9)));
    expect(messageSummary(bars, 15)).toBe('6 messages in 15 minutes: 3 private, 3 definitions.');
  });

  it('counts each type of a large bucket until nothing is left', async () => {
    const bucket = { timestamp: at(0), count: '100', isCapped: true, types: [{ type: 'private', count: '100' }] };
    const counts = new Map<string | undefined, number>([
      [undefined, 300],
      ['broadcast', 120],
      ['private', 180],
    ]);
    const asked: (string | undefined)[] = [];
    const count = (type: string | undefined) => {
      asked.push(type);
      return Promise.resolve(counts.get(type) ?? 0);
    };
    const exact = { timestamp: at(0), isCapped: false };
    const types = ['broadcast', 'private', 'definition'];
    const both = [
      { type: 'broadcast', count: '120' },
      { type: 'private', count: '180' },
    ];
    expect(await exactBucket(bucket, types, count)).toEqual({ ...exact, count: '300', types: both });
    expect(asked).toEqual([undefined, 'broadcast', 'private']);
    counts.set(undefined, 299);
    expect((await exactBucket(bucket, types, count)).count).toBe('300');
    const untyped = [{ type: '', count: '299' }];
    expect(await exactBucket(bucket, [], count)).toEqual({ ...exact, count: '299', types: untyped });
  });

  it('counts a past bucket ever less often, and one that has not ended each time', () => {
    expect([isStillCounted(10, 11, 11.9), isStillCounted(10, 11, 12), isStillCounted(10, 20, 29)]).toEqual([
      true,
      false,
      true,
    ]);
    expect([isStillCounted(10, 9, 9.5), isStillCounted(10, 9, 11)]).toEqual([false, false]);
  });

  it('advances by whole bars if the range ends now, and not if it is fixed', () => {
    const range = chartRange(undefined, undefined, 1_000_001);
    expect(range).toEqual({ startMs: 1_005_000 - 900_000, endMs: 1_005_000, bucketMs: 15_000 });
    expect(chartRange(undefined, undefined, 1_004_999)).toEqual(range);
    expect(chartRange(at(0), at(6), 0)).toEqual({
      startMs: Date.parse(at(0)),
      endMs: Date.parse(at(6)),
      bucketMs: 100,
    });
  });
});
