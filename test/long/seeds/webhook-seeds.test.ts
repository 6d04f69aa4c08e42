import { expect, it } from 'vitest';
import { firstWebhookSeed } from '../../simulation/seed-kinds.js';
import { missedSituations, webhookSituations } from '../../simulation/situations.js';
import { runSeeds } from '../../support/compiled-seeds.js';

it('every invariant holds under 60 seeds whose nodes call webhooks', async () => {
  const report = await runSeeds(Array.from({ length: 60 }, (_, index) => firstWebhookSeed + index));
  expect(report.failures.join('\n\n')).toBe('');
  expect(missedSituations(report, webhookSituations)).toEqual([]);
});
