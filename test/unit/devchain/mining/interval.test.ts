import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createInterval } from '../../../../src/devchain/mining/interval.js';

describe('Interval mining', () => {
  test('leaves out the blocks that are due while one is being mined', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const blocks: (() => void)[] = [];
    const interval = createInterval(() => new Promise((mined) => blocks.push(mined)));
    interval.follow(100);
    onTestFinished(() => interval.follow(0));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(blocks).toHaveLength(1);
    blocks[0]?.();
    await vi.advanceTimersByTimeAsync(100);
    expect(blocks).toHaveLength(2);
  });
});
