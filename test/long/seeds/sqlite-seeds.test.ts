import { expect, it } from 'vitest';
import { firstSqliteSeed } from '../../simulation/run-seed.js';
import { maxMs, missedSituations, runSeeds } from '../../simulation/seeds.js';
import type { Situation } from '../../simulation/situations.js';

const wanted: readonly Situation[] = [
  'death inside a unit',
  'unit repeated',
  'commit refused',
  'item deleted',
  'operation of tokens accepted',
];

it('every invariant holds under 18 seeds whose nodes have their databases in files', { timeout: maxMs }, async () => {
  const report = await runSeeds(Array.from({ length: 18 }, (_, index) => firstSqliteSeed + index));
  expect(report.failures.join('\n\n')).toBe('');
  expect(missedSituations(report, wanted)).toEqual([]);
});
