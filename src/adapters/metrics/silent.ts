import type { Metrics } from '../../ports/metrics.js';

/** Creates metrics that discard everything, for tests and simulations. */
export function createSilentMetrics(): Metrics {
  return { count: () => undefined, set: () => undefined, observe: () => undefined };
}
