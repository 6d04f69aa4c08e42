import { expect, it } from 'vitest';
import { firstTokenSeed } from '../../simulation/run-seed.js';
import { maxMs, runSeeds } from '../../simulation/seeds.js';

it(
  'every invariant, including those of tokens, holds under 120 seeds that have tokens',
  { timeout: maxMs },
  async () => {
    const report = await runSeeds(Array.from({ length: 120 }, (_, index) => firstTokenSeed + index));
    expect(report.failures.join('\n\n')).toBe('');
    expect(report.situations['operation of tokens accepted']).toBeGreaterThan(100);
    expect(report.situations['operation of tokens refused by the contract']).toBeGreaterThan(20);
  },
);
