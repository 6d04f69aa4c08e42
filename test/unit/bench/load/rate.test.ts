import { describe, expect, it } from 'vitest';
import type { BenchReport } from '../../../../src/bench/report.js';
import { searchRate } from '../../../../src/bench/load/rate.js';
import { aReport } from '../a-report.js';

/** Returns runs of a network that sustains a rate and none above it, and the rates that were tried. */
function aNetworkThatSustains(most: number) {
  const tried: number[] = [];
  const runAt = (rate: number): Promise<BenchReport> => {
    tried.push(rate);
    const voidReasons = rate > most ? ['too many were waiting'] : [];
    return Promise.resolve(aReport({ offeredPerSecond: rate, voidReasons }));
  };
  return { tried, runAt };
}

describe('the highest rate', () => {
  it.each([7, 60, 130, 400])('of a network that sustains %i is found by increasing rates', async (most) => {
    const { tried, runAt } = aNetworkThatSustains(most);
    const { offeredPerSecond, voidReasons } = await searchRate(runAt);
    expect(voidReasons).toEqual([]);
    expect(offeredPerSecond).toBeLessThanOrEqual(most);
    expect(offeredPerSecond).toBeGreaterThan(most * 0.8);
    expect(new Set(tried).size).toBe(tried.length);
  });

  it('of a network that sustains none is none, with the reasons', async () => {
    const { tried, runAt } = aNetworkThatSustains(0);
    expect((await searchRate(runAt)).voidReasons).not.toEqual([]);
    expect(tried.at(-1)).toBe(1);
  });
});
