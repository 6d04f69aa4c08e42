/** A distribution of durations in milliseconds; all zero without measurements. */
export interface Distribution {
  readonly count: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
}

/** Computes nearest-rank percentiles, to a thousandth of a millisecond. */
export function distributionOf(durationsMs: readonly number[]): Distribution {
  const sorted = Float64Array.from(durationsMs).sort();
  const at = (fraction: number): number => {
    const index = Math.min(sorted.length - 1, Math.max(0, Math.ceil(fraction * sorted.length) - 1));
    return Math.round((sorted[index] ?? 0) * 1_000) / 1_000;
  };
  return { count: sorted.length, p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) };
}
