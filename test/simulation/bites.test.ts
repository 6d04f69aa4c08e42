import { describe, expect, it } from 'vitest';
import { runSeed } from './run-seed.js';
import { sabotages } from './sabotage.js';

const maxSeeds = 400;

/** The first seed that notices, with the invariant that did. */
async function firstCatch(apply: (typeof sabotages)[number]['apply']): Promise<{ seed: number; invariant: string }> {
  for (let seed = 1; seed <= maxSeeds; seed++) {
    const { failure } = await runSeed(seed, { sabotage: apply });
    if (failure !== undefined) return { seed, invariant: failure.invariant };
  }
  return { seed: maxSeeds, invariant: 'nothing' };
}

describe('a simulation with a broken rule fails', () => {
  for (const { rule, caughtBy, apply } of sabotages) {
    it(`when ${rule}`, async () => {
      const { invariant } = await firstCatch(apply);
      expect(caughtBy).toContain(invariant);
    });
  }
});
