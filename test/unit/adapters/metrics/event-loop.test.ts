import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { eventLoopDelayName, watchEventLoop } from '../../../../src/adapters/metrics/event-loop.js';

describe('watchEventLoop', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
  afterEach(() => {
    vi.restoreAllMocks();
    vi.useRealTimers();
  });

  /** Watches a loop that works for a share of its time, which the test may change. */
  function watch(share: number) {
    const loop = { share };
    performance.eventLoopUtilization = () => ({ idle: 0, active: 0, utilization: loop.share });
    const seen: number[] = [];
    const end = watchEventLoop({
      observe: (name, seconds) => {
        expect(name).toBe(eventLoopDelayName);
        seen.push(seconds);
      },
    });
    return { seen, loop, end };
  }

  it('records no delay in a loop that runs its timers in time', () => {
    const { seen, end } = watch(0.5);
    vi.advanceTimersByTime(500);
    end();
    expect(seen).toEqual(Array.from({ length: 10 }, () => 0));
  });

  it('records once how late a blocked loop runs its timer', () => {
    const { seen, end } = watch(0.5);
    const realNow = performance.now.bind(performance);
    vi.spyOn(performance, 'now').mockImplementation(() => realNow() + 400);
    vi.advanceTimersByTime(50);
    vi.advanceTimersByTime(100);
    end();
    expect(seen).toEqual([0.4, 0, 0]);
  });

  it('looks less often at an idle loop, and often again when it works', () => {
    const { seen, loop, end } = watch(0.001);
    vi.advanceTimersByTime(50 + 100 + 200 + 400 + 800);
    expect(seen).toHaveLength(5);
    vi.advanceTimersByTime(4_999);
    expect(seen).toHaveLength(9);
    loop.share = 0.1;
    vi.advanceTimersByTime(1);
    expect(seen).toHaveLength(10);
    vi.advanceTimersByTime(500);
    expect(seen).toHaveLength(20);
    end();
  });

  it('looks once for five milliseconds of work', () => {
    const { seen, end } = watch(0.025);
    vi.advanceTimersByTime(50 + 100 + 200);
    expect(seen).toHaveLength(3);
    vi.advanceTimersByTime(1_000);
    expect(seen).toHaveLength(8);
    end();
  });

  it('records nothing after it has ended', () => {
    const { seen, end } = watch(0.5);
    end();
    vi.advanceTimersByTime(500);
    expect(seen).toEqual([]);
  });
});
