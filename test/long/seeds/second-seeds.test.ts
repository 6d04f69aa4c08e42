import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { maxMs, missedSituations, runSeeds } from '../../simulation/seeds.js';
import { messagingSituations } from '../../simulation/situations.js';

const regressions = readFileSync(new URL('../../simulation/regressions.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => /^\d/.test(line))
  .map((line) => Number(line.split(/\s/)[0]));

describe('the core under seeds 601 to 1,200', { timeout: maxMs }, () => {
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
