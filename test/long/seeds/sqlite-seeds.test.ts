import { expect, it } from 'vitest';
import { firstMixedSqliteSeed, firstSqliteSeed } from '../../simulation/seed-kinds.js';
import { missedSituations } from '../../simulation/situations.js';
import type { Situation } from '../../simulation/situations.js';
import { runSeeds } from '../../support/compiled-seeds.js';

const wanted: readonly Situation[] = [
  'death inside a unit',
  'unit repeated',
  'commit refused',
  'item deleted',
  'operation of tokens accepted',
];

it('every invariant holds under 18 seeds whose nodes have their databases in files', async () => {
  const report = await runSeeds(Array.from({ length: 18 }, (_, index) => firstSqliteSeed + index));
  expect(report.failures.join('\n\n')).toBe('');
  expect(missedSituations(report, wanted)).toEqual([]);
});

it('every invariant holds under 8 seeds on files that combine replaced blocks with other features', async () => {
  // Each has the bit of replaced blocks, and others in turn: none of them at first, all at last.
  const report = await runSeeds(Array.from({ length: 8 }, (_, index) => firstMixedSqliteSeed + 1 + 18 * index));
  expect(report.failures.join('\n\n')).toBe('');
  expect(missedSituations(report, ['blocks replaced', 'death during a rebuild'])).toEqual([]);
});
