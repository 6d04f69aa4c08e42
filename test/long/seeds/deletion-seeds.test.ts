import { expect, it } from 'vitest';
import { firstDeletionSeed } from '../../simulation/run-seed.js';
import { maxMs, missedSituations, runSeeds } from '../../simulation/seeds.js';
import { deletionSituations } from '../../simulation/situations.js';

it('every invariant holds under 60 seeds whose users delete items', { timeout: maxMs }, async () => {
  const report = await runSeeds(Array.from({ length: 60 }, (_, index) => firstDeletionSeed + index));
  expect(report.failures.join('\n\n')).toBe('');
  expect(missedSituations(report, deletionSituations)).toEqual([]);
});
