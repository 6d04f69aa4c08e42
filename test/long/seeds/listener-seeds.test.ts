import { expect, it } from 'vitest';
import { firstListenerSeed } from '../../simulation/run-seed.js';
import { maxMs, missedSituations, runSeeds } from '../../simulation/seeds.js';
import { listenerSituations } from '../../simulation/situations.js';

it('every invariant holds under 90 seeds whose users listen for contract events', { timeout: maxMs }, async () => {
  const report = await runSeeds(Array.from({ length: 90 }, (_, index) => firstListenerSeed + index));
  expect(report.failures.join('\n\n')).toBe('');
  expect(missedSituations(report, listenerSituations)).toEqual([]);
});
