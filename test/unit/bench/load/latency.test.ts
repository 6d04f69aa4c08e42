import { describe, expect, it } from 'vitest';
import { distributionOf } from '../../../../src/bench/load/latency.js';

describe('a distribution', () => {
  it('has nearest-rank percentiles, in any order', () => {
    const durations = Array.from({ length: 100 }, (_, index) => 100 - index);
    expect(distributionOf(durations)).toEqual({ count: 100, p50: 50, p95: 95, p99: 99, max: 100 });
  });

  it('of one duration is that duration', () => {
    expect(distributionOf([7.25])).toEqual({ count: 1, p50: 7.25, p95: 7.25, p99: 7.25, max: 7.25 });
  });

  it('of nothing is zero', () => {
    expect(distributionOf([])).toEqual({ count: 0, p50: 0, p95: 0, p99: 0, max: 0 });
  });
});
