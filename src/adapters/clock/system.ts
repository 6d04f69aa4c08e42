import type { Clock } from '../../ports/clock.js';

/** The machine's clock. A waiting sleep keeps the process alive. */
export function createSystemClock(): Clock {
  return {
    now: () => new Date().toISOString(),
    monotonicMs: () => performance.now(),
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted === true) {
          resolve();
          return;
        }
        if (ms <= 0) {
          setImmediate(resolve);
          return;
        }
        const wake = (): void => {
          clearTimeout(timer);
          signal?.removeEventListener('abort', wake);
          resolve();
        };
        const timer = setTimeout(wake, ms);
        signal?.addEventListener('abort', wake);
      }),
  };
}
