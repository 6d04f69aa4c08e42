import type { Metrics } from '../../ports/metrics.js';

/** The metric of the delays, in seconds. */
export const eventLoopDelayName = 'parley_event_loop_delay_seconds';

/** Milliseconds of the loop's own work per sample, since each sample wakes the process. */
const workForSampleMs = 5;
const minSampleMs = 50;
const maxSampleMs = 1_000;

/**
 * Measures the delay of timers in this process's event loop, as a histogram. A blocked loop is counted once, with at
 * least the length of the block minus the time between two samples: 50 ms while the loop works for a tenth of its time,
 * up to a second after it was idle. Unlike the histogram of `node:perf_hooks` it is never reset, so several readers can
 * each compare two of their readings.
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
      const restMs = Math.min(maxSampleMs, workForSampleMs / utilization);
      sampleAfter(Math.min(2 * ms, Math.max(minSampleMs, restMs)));
    }, ms);
    timer.unref();
  };
  sampleAfter(minSampleMs);
  return () => clearTimeout(timer);
}
