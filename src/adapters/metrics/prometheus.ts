import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Metrics } from '../../ports/metrics.js';

export interface PrometheusMetrics extends Metrics {
  /** Returns everything in Prometheus' text format. */
  text(): Promise<string>;
}

type Labels = Readonly<Record<string, string>>;

const secondsBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/**
 * Creates metrics in their own registry. A metric is created on first use; its name then keeps that kind and those
 * labels.
 *
 * @throws Error if a name is used again with other labels
 */
export function createPrometheusMetrics(): PrometheusMetrics {
  const registry = new Registry();
  const registers = [registry];
  const counters = createOnce((name, labelNames) => new Counter({ name, help: name, labelNames, registers }));
  const gauges = createOnce((name, labelNames) => new Gauge({ name, help: name, labelNames, registers }));
  const histograms = createOnce(
    (name, labelNames) => new Histogram({ name, help: name, labelNames, registers, buckets: secondsBuckets }),
  );
  return {
    count: (name, by = 1, labels = {}) => counters(name, labels).inc({ ...labels }, by),
    set: (name, value, labels = {}) => gauges(name, labels).set({ ...labels }, value),
    observe: (name, seconds, labels = {}) => histograms(name, labels).observe({ ...labels }, seconds),
    text: () => registry.metrics(),
  };
}

function createOnce<Metric>(
  create: (name: string, labelNames: string[]) => Metric,
): (name: string, labels: Labels) => Metric {
  const metrics = new Map<string, Metric>();
  return (name, labels) => {
    const metric = metrics.get(name) ?? create(name, Object.keys(labels));
    metrics.set(name, metric);
    return metric;
  };
}
