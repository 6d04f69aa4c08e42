import { describe, expect, it } from 'vitest';
import { maxMs, missedSituations, runSeeds } from '../../simulation/seeds.js';
import { messagingSituations } from '../../simulation/situations.js';

describe('the core under seeds 61 to 600', { timeout: maxMs }, () => {
  it('keeps every invariant and meets every situation', async () => {
    const report = await runSeeds(Array.from({ length: 540 }, (_, index) => index + 61));
    expect(report.failures.join('\n\n')).toBe('');
    expect(missedSituations(report, messagingSituations)).toEqual([]);
  });
});
