import { expect, it } from 'vitest';
import { firstContractSeed } from '../../simulation/seed-kinds.js';
import { contractSituations, missedSituations } from '../../simulation/situations.js';
import { runSeeds } from '../../support/compiled-seeds.js';

it('every invariant holds under 60 seeds whose users share contract interfaces and APIs', async () => {
  const report = await runSeeds(Array.from({ length: 60 }, (_, index) => firstContractSeed + index));
  expect(report.failures.join('\n\n')).toBe('');
  expect(missedSituations(report, contractSituations)).toEqual([]);
});
