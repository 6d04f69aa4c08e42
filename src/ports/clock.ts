/** The only source of time in `domain`, `pipeline` and `node`. */
export interface Clock {
  /**
   * The time of day, ISO 8601 UTC with exactly three fractional digits and `Z` (docs/api.md §3.2). It may jump in
   * either direction: use it for display, never for decisions or measurements.
   */
  now(): string;

  /** Milliseconds of a monotonic clock. Only differences are meaningful. */
  monotonicMs(): number;

  /**
   * Resolves after `ms` milliseconds, or at once when the signal is or becomes aborted. It never rejects. With 0 it
   * resolves once everything that is due by now has run, even on a clock that stands still.
   */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}
