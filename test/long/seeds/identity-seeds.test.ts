import { expect, it } from 'vitest';
import { firstIdentitySeed } from '../../simulation/run-seed.js';
import { maxMs, missedSituations, runSeeds } from '../../simulation/seeds.js';
import { identitySituations } from '../../simulation/situations.js';

it(
  'every invariant holds under 60 seeds whose members register custom identities and send as them',
  { timeout: maxMs },
  async () => {
    const report = await runSeeds(Array.from({ length: 60 }, (_, index) => firstIdentitySeed + index));
    expect(report.failures.join('\n\n')).toBe('');
    expect(missedSituations(report, identitySituations)).toEqual([]);
  },
);
