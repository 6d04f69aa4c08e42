/**
 * Counters, gauges and histograms. Names are Prometheus names (docs/operations.md §9); a name is always used with the
 * same set of labels.
 */
export interface Metrics {
  /** Adds `by` (default 1, never negative) to a counter. */
  count(name: string, by?: number, labels?: Readonly<Record<string, string>>): void;

  /** Sets a gauge to `value`. */
  set(name: string, value: number, labels?: Readonly<Record<string, string>>): void;

  /** Records one observation, in seconds. */
  observe(name: string, seconds: number, labels?: Readonly<Record<string, string>>): void;
}
