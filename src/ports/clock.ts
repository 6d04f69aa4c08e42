/** The only source of time in `domain`, `pipeline` and `node`. */
export interface Clock {
  /**
   * The time of day, ISO 8601 UTC with exactly three fractional digits and `Z` (S §1.4). It may jump in either
   * direction: it is for showing, never for deciding or measuring.
   */
  now(): string;

  /** Milliseconds on a clock that never goes back. Only differences mean anything. */
  monotonicMs(): number;

  /**
   * Resolves after `ms` milliseconds, or at once when the signal is or becomes aborted. It never rejects. Of 0 it
   * resolves as soon as all that is due by now has had its turn, however the time goes.
   */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}
