import { describe, expect, it } from 'vitest';
import { createSeededRandom } from '../../../../src/adapters/random/seeded.js';

describe('createSeededRandom', () => {
  it('gives the same values for the same seed, also in later versions', () => {
    const first = createSeededRandom(42);
    const again = createSeededRandom(42);
    const values = Array.from({ length: 50 }, () => first.integer(1_000_000));
    expect(Array.from({ length: 50 }, () => again.integer(1_000_000))).toEqual(values);
    expect(createSeededRandom(42).uuid()).toBe(createSeededRandom(42).uuid());
    expect(createSeededRandom(42).uuid()).toBe('a4bb21bb-0e0f-4378-b76f-bc07952234c9');
  });

  it('gives other values for another seed, beyond 32 bits too', () => {
    const seeds = [0, 1, 2, 2 ** 32 + 1, 2 ** 40, -1];
    const uuids = seeds.map((seed) => createSeededRandom(seed).uuid());
    expect(new Set(uuids).size).toBe(seeds.length);
  });

  it('draws whole numbers below the maximum, all about equally often', () => {
    const random = createSeededRandom(1);
    const counts = new Array<number>(6).fill(0);
    for (let draw = 0; draw < 60_000; draw += 1) {
      const value = random.integer(6);
      counts[value] = (counts[value] ?? 0) + 1;
    }
    for (const count of counts) expect(Math.abs(count - 10_000)).toBeLessThan(500);
  });

  it('draws fractions from 0 to below 1', () => {
    const random = createSeededRandom(3);
    const fractions = Array.from({ length: 10_000 }, () => random.fraction());
    expect(Math.min(...fractions)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...fractions)).toBeLessThan(1);
    expect(Math.max(...fractions)).toBeGreaterThan(0.999);
  });
});
