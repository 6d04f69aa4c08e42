import { expect, it } from 'vitest';
import { firstWebhookSeed } from '../../simulation/run-seed.js';
import { maxMs, missedSituations, runSeeds } from '../../simulation/seeds.js';
import { webhookSituations } from '../../simulation/situations.js';

it('every invariant holds under 60 seeds whose nodes call webhooks', { timeout: maxMs }, async () => {
  const report = await runSeeds(Array.from({ length: 60 }, (_, index) => firstWebhookSeed + index));
  expect(report.failures.join('\n\n')).toBe('');
  expect(missedSituations(report, webhookSituations)).toEqual([]);
});
