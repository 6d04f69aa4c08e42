import type { Metrics } from '../../ports/metrics.js';

/** Metrics that nobody reads, for tests and simulations. */
export function createSilentMetrics(): Metrics {
  return { count: () => undefined, set: () => undefined, observe: () => undefined };
}
