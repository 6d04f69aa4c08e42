import { expect, it } from 'vitest';
import { firstMixedSeed, firstRebuildSeed, firstReorganisationSeed } from '../../simulation/seed-kinds.js';
import { missedSituations, rebuildSituations, reorganisationSituations } from '../../simulation/situations.js';
import { runSeeds } from '../../support/compiled-seeds.js';

/** Seeds that found what a rebuild left undone. */
const recorded = [12, 35, 73, 118, 151, 174, 255, 281, 286];

it('every invariant holds under 40 seeds whose chain replaces blocks, and those that once failed', async () => {
  const seeds = new Set([...Array.from({ length: 40 }, (_, index) => index), ...recorded]);
  const report = await runSeeds([...seeds].map((seed) => firstReorganisationSeed + seed));
  expect(report.failures.join('\n\n')).toBe('');
  expect(missedSituations(report, reorganisationSituations)).toEqual([]);
});

it('every invariant holds under 128 seeds that combine replaced blocks with all other features', async () => {
  const report = await runSeeds(Array.from({ length: 128 }, (_, index) => firstMixedSeed + index));
  expect(report.failures.join('\n\n')).toBe('');
  expect(report.situations['pool is elsewhere than its definition says']).toBeGreaterThan(0);
});

it('every invariant holds under 48 seeds whose users have parties rebuilt', async () => {
  const report = await runSeeds(Array.from({ length: 48 }, (_, index) => firstRebuildSeed + index));
  expect(report.failures.join('\n\n')).toBe('');
  expect(missedSituations(report, rebuildSituations)).toEqual([]);
});
