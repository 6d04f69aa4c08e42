import { expect, it } from 'vitest';
import { firstDeletionSeed } from '../../simulation/seed-kinds.js';
import { deletionSituations, missedSituations } from '../../simulation/situations.js';
import { runSeeds } from '../../support/compiled-seeds.js';

it('every invariant holds under 60 seeds whose users delete items', async () => {
  const report = await runSeeds(Array.from({ length: 60 }, (_, index) => firstDeletionSeed + index));
  expect(report.failures.join('\n\n')).toBe('');
  expect(missedSituations(report, deletionSituations)).toEqual([]);
});
