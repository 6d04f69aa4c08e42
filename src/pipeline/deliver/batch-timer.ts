import type { Clock } from '../../ports/clock.js';

/** Limits how long the first event of a batch waits for others. */
export interface BatchTimer {
  /**
   * Whether the batch may wait longer; if so, `wake` is called in time. The first call starts the timer; a changed
   * `timeoutMs` also counts from then.
   */
  remains(timeoutMs: number, signal: AbortSignal): boolean;
  /** Resets the timer because the batch was sent. */
  clear(): void;
}

export function createBatchTimer(clock: Clock, wake: () => void): BatchTimer {
  let sinceMs: number | undefined;
  /** Time of the next call of `wake`; additional later calls may be scheduled and do no harm. */
  let wakeAtMs = Infinity;

  async function wakeAt(untilMs: number, nowMs: number, signal: AbortSignal): Promise<void> {
    wakeAtMs = untilMs;
    await clock.sleep(untilMs - nowMs, signal);
    if (wakeAtMs === untilMs) wakeAtMs = Infinity;
    wake();
  }

  return {
    remains(timeoutMs, signal) {
      const nowMs = clock.monotonicMs();
      sinceMs ??= nowMs;
      const untilMs = sinceMs + timeoutMs;
      if (untilMs <= nowMs) return false;
      if (untilMs < wakeAtMs) void wakeAt(untilMs, nowMs, signal);
      return true;
    },
    clear() {
      sinceMs = undefined;
    },
  };
}
