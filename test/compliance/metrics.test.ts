import { createPrometheusMetrics } from '../../src/adapters/metrics/prometheus.js';
import { createSilentMetrics } from '../../src/adapters/metrics/silent.js';
import { describeMetrics } from './metrics.js';

describeMetrics('prometheus', () => {
  const metrics = createPrometheusMetrics();
  return { metrics, lines: async () => (await metrics.text()).split('\n') };
});

describeMetrics('silent', () => ({ metrics: createSilentMetrics(), lines: async () => undefined }));
