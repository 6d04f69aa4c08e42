import { describe, expect, it } from 'vitest';
import { createPrometheusMetrics } from '../../../../src/adapters/metrics/prometheus.js';

describe('createPrometheusMetrics', () => {
  it('keeps two registries separate', async () => {
    const first = createPrometheusMetrics();
    const second = createPrometheusMetrics();
    first.count('parley_void_batches_total');
    expect(await first.text()).toContain('parley_void_batches_total 1');
    expect(await second.text()).not.toContain('parley_void_batches_total');
  });

  it('refuses a name with other labels than in its first use', () => {
    const metrics = createPrometheusMetrics();
    metrics.count('parley_requests_total', 1, { route: 'a' });
    expect(() => metrics.count('parley_requests_total', 1, { other: 'a' })).toThrow();
  });

  it('refuses a name that is used for another kind', () => {
    const metrics = createPrometheusMetrics();
    metrics.count('parley_requests_total');
    expect(() => metrics.set('parley_requests_total', 1)).toThrow();
  });
});
