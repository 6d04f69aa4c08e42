import { expect, it } from 'vitest';
import { firstLocalRecordSeed, firstOverlapSeed, firstTokenSeed } from '../../simulation/seed-kinds.js';
import { localRecordSituations, missedSituations, overlapSituations } from '../../simulation/situations.js';
import { runSeeds } from '../../support/compiled-seeds.js';

it('every invariant, including those of tokens, holds under 120 seeds that have tokens', async () => {
  const report = await runSeeds(Array.from({ length: 120 }, (_, index) => firstTokenSeed + index));
  expect(report.failures.join('\n\n')).toBe('');
  expect(report.situations['operation of tokens accepted']).toBeGreaterThan(100);
  expect(report.situations['operation of tokens refused by the contract']).toBeGreaterThan(20);
});

it('every invariant holds under 40 seeds whose users share records later or never', async () => {
  const report = await runSeeds(Array.from({ length: 40 }, (_, index) => firstLocalRecordSeed + index));
  expect(report.failures.join('\n\n')).toBe('');
  expect(missedSituations(report, localRecordSituations)).toEqual([]);
});

it('every invariant holds under 32 seeds whose requests meet others under way', async () => {
  const report = await runSeeds(Array.from({ length: 32 }, (_, index) => firstOverlapSeed + index));
  expect(report.failures.join('\n\n')).toBe('');
  expect(missedSituations(report, overlapSituations)).toEqual([]);
});
