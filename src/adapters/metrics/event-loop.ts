import type { Metrics } from '../../ports/metrics.js';

/** The metric of the delays, in seconds. */
export const eventLoopDelayName = 'parley_event_loop_delay_seconds';

/**
 * Sampling interval. Shorter ones cost too much: each sample wakes the process, sixty times a second in a stack of
 * three parties.
 */
const sampleMs = 50;

/**
 * Measures the delay of timers in this process's event loop, as a histogram. A loop that is blocked for longer than
 * `sampleMs` is counted once, with at least the length of the block less `sampleMs`. Unlike the histogram of
 * `node:perf_hooks` it is never reset, so several readers can each compare two of their readings.
 *
 * @returns a function that ends the measurement
 */
export function watchEventLoop(metrics: Pick<Metrics, 'observe'>): () => void {
  let dueMs = performance.now() + sampleMs;
  const timer = setInterval(() => {
    const nowMs = performance.now();
    metrics.observe(eventLoopDelayName, Math.max(0, nowMs - dueMs) / 1_000);
    dueMs = nowMs + sampleMs;
  }, sampleMs);
  timer.unref();
  return () => clearInterval(timer);
}
