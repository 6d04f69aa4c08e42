import { expect, it } from 'vitest';
import { firstIdentitySeed } from '../../simulation/seed-kinds.js';
import { identitySituations, missedSituations } from '../../simulation/situations.js';
import { runSeeds } from '../../support/compiled-seeds.js';

it('every invariant holds under 60 seeds whose members register custom identities and send as them', async () => {
  const report = await runSeeds(Array.from({ length: 60 }, (_, index) => firstIdentitySeed + index));
  expect(report.failures.join('\n\n')).toBe('');
  expect(missedSituations(report, identitySituations)).toEqual([]);
});
