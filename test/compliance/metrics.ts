import { describe, expect, it } from 'vitest';
import type { Metrics } from '../../src/ports/metrics.js';

export interface MetricsUnderTest {
  readonly metrics: Metrics;
  /** Returns the metrics as served, one line per value; undefined for metrics that cannot be read. */
  lines(): Promise<string[] | undefined>;
}

/** The obligations of `ports/metrics.ts`. */
export function describeMetrics(adapter: string, create: () => MetricsUnderTest): void {
  describe(`metrics: ${adapter}`, () => {
    it('adds up counters, by one by default', async () => {
      const { metrics, lines } = create();
      metrics.count('ff_batchpin_total');
      metrics.count('ff_batchpin_total', 4);
      expect((await lines()) ?? ['ff_batchpin_total 5']).toContain('ff_batchpin_total 5');
    });

    it('keeps the values of different labels separate', async () => {
      const { metrics, lines } = create();
      metrics.count('parley_requests_total', 1, { route: 'a', status: '200' });
      metrics.count('parley_requests_total', 1, { route: 'b', status: '200' });
      metrics.count('parley_requests_total', 1, { status: '200', route: 'b' });
      const shown = await lines();
      if (shown === undefined) return;
      expect(shown).toContain('parley_requests_total{route="a",status="200"} 1');
      expect(shown).toContain('parley_requests_total{route="b",status="200"} 2');
    });

    it('shows the last value of a gauge', async () => {
      const { metrics, lines } = create();
      metrics.set('parley_outbox', 7, { peer: 'bob' });
      metrics.set('parley_outbox', 3, { peer: 'bob' });
      const expected = 'parley_outbox{peer="bob"} 3';
      expect((await lines()) ?? [expected]).toContain(expected);
    });

    it('counts and adds up observations in seconds', async () => {
      const { metrics, lines } = create();
      metrics.observe('ff_broadcast_histogram', 0.02);
      metrics.observe('ff_broadcast_histogram', 0.5);
      const shown = await lines();
      if (shown === undefined) return;
      expect(shown).toContain('ff_broadcast_histogram_count 2');
      expect(shown).toContain('ff_broadcast_histogram_sum 0.52');
      expect(shown).toContain('ff_broadcast_histogram_bucket{le="0.025"} 1');
    });
  });
}
