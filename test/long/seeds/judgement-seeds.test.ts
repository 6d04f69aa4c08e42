import { expect, it } from 'vitest';
import { firstJudgementSeed } from '../../simulation/seed-kinds.js';
import { runSeeds } from '../../support/compiled-seeds.js';

it('every invariant holds under 60 seeds whose judgements are given up', async () => {
  const report = await runSeeds(Array.from({ length: 60 }, (_, index) => firstJudgementSeed + index));
  expect(report.failures.join('\n\n')).toBe('');
  expect(report.situations['judgement given up']).toBeGreaterThan(100);
  expect(report.situations['death during a judgement']).toBeGreaterThan(0);
});
