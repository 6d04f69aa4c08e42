import { expect, it } from 'vitest';
import { firstListenerSeed } from '../../simulation/seed-kinds.js';
import { listenerSituations, missedSituations } from '../../simulation/situations.js';
import { runSeeds } from '../../support/compiled-seeds.js';

it('every invariant holds under 90 seeds whose users listen for contract events', async () => {
  const report = await runSeeds(Array.from({ length: 90 }, (_, index) => firstListenerSeed + index));
  expect(report.failures.join('\n\n')).toBe('');
  expect(missedSituations(report, listenerSituations)).toEqual([]);
});
