/** A timeout that restarts on every sign of progress. */
export interface ProgressTimeout {
  /** Aborted when the timeout expires. */
  readonly signal: AbortSignal;
  /** Restarts the timeout. */
  restart(): void;
  end(): void;
}

/** Starts the timeout; `limitMs` 0 = none. */
export function createProgressTimeout(limitMs: number): ProgressTimeout {
  const limit = new AbortController();
  const timer = limitMs > 0 ? setTimeout(() => limit.abort(), limitMs) : undefined;
  return {
    signal: limit.signal,
    restart() {
      // An expired timeout stays expired.
      if (!limit.signal.aborted) timer?.refresh();
    },
    end: () => clearTimeout(timer),
  };
}
