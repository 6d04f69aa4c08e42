import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { readKnownSeeds } from './planted/known-seeds.js';
import { patched } from './planted/plant.js';
import { plants } from './planted/plants/all.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const built = new URL('../../build/simulation/', import.meta.url);

describe('the code that the simulation runs', () => {
  // Plants are patches of the built code, which `npm run sim` loads.
  beforeAll(() => {
    execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'test/simulation'], { cwd: root });
  });

  it('has exactly one place for every plant, and enough plants', () => {
    expect(new Set(plants.map(({ id }) => id)).size).toBe(plants.length);
    expect(plants.length).toBeGreaterThanOrEqual(20);
    for (const { patches } of plants) {
      const files = new Set(patches.map(({ file }) => file));
      for (const file of files) {
        const own = patches.filter((patch) => patch.file === file);
        const text = readFileSync(new URL(file, built), 'utf8');
        expect(own.reduce(patched, text)).not.toBe(text);
      }
    }
  });

  it('has a known seed, or the word "missed", for every plant', () => {
    const known = readKnownSeeds(new URL('planted/known-seeds.txt', import.meta.url));
    expect([...known.keys()].sort()).toEqual(plants.map(({ id }) => id).sort());
    expect([...known.values()].filter((seed) => seed !== 'missed' && !Number.isInteger(seed))).toEqual([]);
  });
});
