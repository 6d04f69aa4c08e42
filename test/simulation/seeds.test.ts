import { describe, expect, it } from 'vitest';
import { runSeed } from './run-seed.js';
import { runSeeds } from './seeds.js';

describe('the core under seeds 1 to 60', () => {
  it('keeps every invariant', async () => {
    const report = await runSeeds(Array.from({ length: 60 }, (_, index) => index + 1));
    expect(report.failures.join('\n\n')).toBe('');
  });
});

describe('a seed', () => {
  it('gives the same events each time', async () => {
    for (const seed of [1, 2, 3, 50, 1_234]) {
      const [first, second] = [await runSeed(seed), await runSeed(seed)];
      expect(second.traceHash).toBe(first.traceHash);
      expect(second.steps).toBe(first.steps);
    }
  });

  it('gives other events than the next one', async () => {
    const [first, second] = [await runSeed(1), await runSeed(2)];
    expect(second.traceHash).not.toBe(first.traceHash);
  });
});
