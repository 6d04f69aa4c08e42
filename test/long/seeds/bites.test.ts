import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { readKnownSeeds } from '../../simulation/planted/known-seeds.js';
import { plants } from '../../simulation/planted/plants/all.js';
import { areEnough, scorePlants, tableOf } from '../../simulation/planted/score.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const built = new URL('../../../build/simulation/', import.meta.url);
const known = readKnownSeeds(new URL('../../simulation/planted/known-seeds.txt', import.meta.url));
/** Seeds tried after the known one, which a change of the code may make stale. */
const few = 15;
const fewSeeds = (from: number) => Array.from({ length: few }, (_, index) => from + index);
const seedOf = (id: string) => {
  const seed = known.get(id);
  return seed === 'missed' ? undefined : seed;
};
/** Plants found within these seeds; `npm run sim -- --planted` tries all plants, with as many seeds as needed. */
const obvious = plants.filter(({ id, from = 1 }) => (seedOf(id) ?? Infinity) < from + few);

describe('a simulation of code with a bug planted in it', () => {
  // Plants are patches of the built code, which `npm run sim` loads.
  beforeAll(() => {
    execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'test/simulation'], { cwd: root });
  });

  it('fails', async () => {
    expect(obvious.length).toBeGreaterThanOrEqual(20);
    const scores = await scorePlants({
      plants: obvious,
      seedsOf: ({ id, from = 1 }) => [seedOf(id) ?? from, ...fewSeeds(from)],
      threads: 2,
      built: new URL('test/simulation/planted/', built),
    });
    expect(areEnough(scores), tableOf(scores)).toBe(true);
  });
});
