import type { Clock } from '../../ports/clock.js';

/** How long the first event of a batch has been waiting for others. */
export interface BatchTimer {
  /** Whether it may wait longer; then there is a wake in time. The time runs from the first of these questions. */
  remains(timeoutMs: number, signal: AbortSignal): boolean;
  /** The batch is on its way. */
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
