import { expect, it } from 'vitest';
import { firstContractSeed } from '../../simulation/run-seed.js';
import { maxMs, missedSituations, runSeeds } from '../../simulation/seeds.js';
import { contractSituations } from '../../simulation/situations.js';

it(
  'every invariant holds under 60 seeds whose users share contract interfaces and APIs',
  { timeout: maxMs },
  async () => {
    const report = await runSeeds(Array.from({ length: 60 }, (_, index) => firstContractSeed + index));
    expect(report.failures.join('\n\n')).toBe('');
    expect(missedSituations(report, contractSituations)).toEqual([]);
  },
);
