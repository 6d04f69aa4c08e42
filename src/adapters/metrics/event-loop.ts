import type { Metrics } from '../../ports/metrics.js';

/** The metric of the delays, in seconds. */
export const eventLoopDelayName = 'parley_event_loop_delay_seconds';

/** Between two samples of a loop that works. */
const busySampleMs = 50;
/** Between two samples of an idle loop. Each wakes the process: five a second were half of what an idle node did. */
const idleSampleMs = 1_000;
/** The share of its time that a loop works from which it is busy. */
const busyShare = 0.1;

/**
 * Measures the delay of timers in this process's event loop, as a histogram. A loop that is blocked is counted once,
 * with at least the length of the block less the time between two samples: 50 ms while the loop works, up to a second
 * after it has been idle. Unlike the histogram of `node:perf_hooks` it is never reset, so several readers can each
 * compare two of their readings.
 *
 * @returns a function that ends the measurement
 */
export function watchEventLoop(metrics: Pick<Metrics, 'observe'>): () => void {
  let timer: NodeJS.Timeout;
  const sampleAfter = (ms: number): void => {
    const dueMs = performance.now() + ms;
    const before = performance.eventLoopUtilization();
    timer = setTimeout(() => {
      metrics.observe(eventLoopDelayName, Math.max(0, performance.now() - dueMs) / 1_000);
      const { utilization } = performance.eventLoopUtilization(before);
      sampleAfter(utilization < busyShare ? Math.min(2 * ms, idleSampleMs) : busySampleMs);
    }, ms);
    timer.unref();
  };
  sampleAfter(busySampleMs);
  return () => clearTimeout(timer);
}
