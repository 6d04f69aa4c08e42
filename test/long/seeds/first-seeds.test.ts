import { describe, expect, it } from 'vitest';
import { messagingSituations, missedSituations } from '../../simulation/situations.js';
import { runSeeds } from '../../support/compiled-seeds.js';

describe('the core under seeds 61 to 600', () => {
  it('keeps every invariant and meets every situation', async () => {
    const report = await runSeeds(Array.from({ length: 540 }, (_, index) => index + 61));
    expect(report.failures.join('\n\n')).toBe('');
    expect(missedSituations(report, messagingSituations)).toEqual([]);
  });
});
