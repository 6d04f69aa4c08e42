import { expect, it } from 'vitest';
import { firstTokenSeed } from '../../simulation/seed-kinds.js';
import { runSeeds } from '../../support/compiled-seeds.js';

it('every invariant, including those of tokens, holds under 120 seeds that have tokens', async () => {
  const report = await runSeeds(Array.from({ length: 120 }, (_, index) => firstTokenSeed + index));
  expect(report.failures.join('\n\n')).toBe('');
  expect(report.situations['operation of tokens accepted']).toBeGreaterThan(100);
  expect(report.situations['operation of tokens refused by the contract']).toBeGreaterThan(20);
});
