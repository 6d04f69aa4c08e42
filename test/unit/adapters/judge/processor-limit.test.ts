import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { startLimit } from '../../../../src/adapters/judge/processor-limit.js';

beforeEach(() => {
  vi.useFakeTimers();
  onTestFinished(() => {
    vi.useRealTimers();
  });
});

/** Returns how long a limit of a second waits for a thread that gets this share of the time. */
function waitedMs(share: number | undefined): number {
  const startMs = performance.now();
  let overMs = Number.NaN;
  const processorMs = () => (share === undefined ? undefined : 500 + share * (performance.now() - startMs));
  startLimit({ processorMs }, 1_000, () => {
    overMs = performance.now() - startMs;
  });
  vi.advanceTimersByTime(60_000);
  return overMs;
}

describe('a limit of processor time', () => {
  it("ends in time for a thread that always runs, and without the system's counters", () => {
    expect(waitedMs(1)).toBeCloseTo(1_000, -1);
    expect(waitedMs(undefined)).toBeCloseTo(1_000, -1);
  });

  it('waits longer for a thread that runs less, up to four times', () => {
    expect(waitedMs(0.5)).toBeGreaterThan(1_950);
    expect(waitedMs(0.5)).toBeLessThanOrEqual(2_000);
    expect(waitedMs(0)).toBeCloseTo(4_000, -1);
  });

  it('never expires once it is ended', () => {
    const onOver = vi.fn();
    startLimit({ processorMs: () => undefined }, 1_000, onOver)();
    vi.advanceTimersByTime(60_000);
    expect(onOver).not.toHaveBeenCalled();
  });
});
