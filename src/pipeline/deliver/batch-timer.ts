import type { Clock } from '../../ports/clock.js';

/** Limits how long the first event of a batch waits for others. */
export interface BatchTimer {
  /** Whether the batch may wait longer; if so, `wake` is called in time. The first call starts the timer. */
  remains(timeoutMs: number, signal: AbortSignal): boolean;
  /** Resets the timer because the batch was sent. */
  clear(): void;
}

export function createBatchTimer(clock: Clock, wake: () => void): BatchTimer {
  let deadlineMs: number | undefined;
  let isSet = false;

  async function wakeAfter(ms: number, signal: AbortSignal): Promise<void> {
    isSet = true;
    await clock.sleep(ms, signal);
    isSet = false;
    wake();
  }

  return {
    remains(timeoutMs, signal) {
      const nowMs = clock.monotonicMs();
      deadlineMs ??= nowMs + timeoutMs;
      if (deadlineMs <= nowMs) return false;
      if (!isSet) void wakeAfter(deadlineMs - nowMs, signal);
      return true;
    },
    clear() {
      deadlineMs = undefined;
    },
  };
}
