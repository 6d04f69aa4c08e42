import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { messagingSituations, missedSituations } from '../../simulation/situations.js';
import { runSeeds } from '../../support/compiled-seeds.js';

const regressions = readFileSync(new URL('../../simulation/regressions.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => /^\d/.test(line))
  .map((line) => Number(line.split(/\s/)[0]));

describe('the core under seeds 601 to 1,200', () => {
  it('keeps every invariant', async () => {
    const report = await runSeeds(Array.from({ length: 600 }, (_, index) => index + 601));
    expect(missedSituations(report, messagingSituations)).toEqual([]);
    expect(report.failures.join('\n\n')).toBe('');
  });

  it('keeps them under every seed that ever failed', async () => {
    expect(regressions).not.toEqual([]);
    const report = await runSeeds(regressions);
    expect(report.seeds).toBe(regressions.length);
    expect(report.failures.join('\n\n')).toBe('');
  });
});
