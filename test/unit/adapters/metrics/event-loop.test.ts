import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { eventLoopDelayName, watchEventLoop } from '../../../../src/adapters/metrics/event-loop.js';

describe('watchEventLoop', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }));
  afterEach(() => {
    vi.restoreAllMocks();
    vi.useRealTimers();
  });

  function watch() {
    const seen: number[] = [];
    const end = watchEventLoop({
      observe: (name, seconds) => {
        expect(name).toBe(eventLoopDelayName);
        seen.push(seconds);
      },
    });
    return { seen, end };
  }

  it('sees no delay in a loop that comes to its timers in time', () => {
    const { seen, end } = watch();
    vi.advanceTimersByTime(500);
    end();
    expect(seen).toEqual(Array.from({ length: 10 }, () => 0));
  });

  it('sees once how late a blocked loop comes to its timer', () => {
    const { seen, end } = watch();
    const realNow = performance.now.bind(performance);
    vi.spyOn(performance, 'now').mockImplementation(() => realNow() + 400);
    vi.advanceTimersByTime(50);
    vi.advanceTimersByTime(100);
    end();
    expect(seen).toEqual([0.4, 0, 0]);
  });

  it('sees nothing any more when it has ended', () => {
    const { seen, end } = watch();
    end();
    vi.advanceTimersByTime(500);
    expect(seen).toEqual([]);
  });
});
