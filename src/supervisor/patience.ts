/** A wait that may take so long, and anew whenever something shows that it goes on. */
export interface Patience {
  /** Aborted when nothing has shown that for so long. */
  readonly signal: AbortSignal;
  /** Something has. */
  renew(): void;
  /** Nobody waits any more. */
  end(): void;
}

/** Begins to wait; `limitMs` 0 = for ever. */
export function createPatience(limitMs: number): Patience {
  const limit = new AbortController();
  const timer = limitMs > 0 ? setTimeout(() => limit.abort(), limitMs) : undefined;
  return {
    signal: limit.signal,
    renew() {
      // A timer that has come stays so: what has been given up is not taken back.
      if (!limit.signal.aborted) timer?.refresh();
    },
    end: () => clearTimeout(timer),
  };
}
