import type { Clock } from '../../src/ports/clock.js';
import type { Life, Simulator } from './life.js';

/** The clock of one life: virtual time, and a time of day that is wrong by `skewMs`. */
export function simulateClock({ scheduler }: Simulator, life: Life, skewMs: () => number): Clock {
  const startMs = Date.parse('2026-01-15T10:00:00.000Z');
  return {
    now: () => new Date(startMs + Math.floor(scheduler.nowMs() + skewMs())).toISOString(),
    monotonicMs: () => scheduler.nowMs(),
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted === true) {
          resolve();
          return;
        }
        const cancel = scheduler.after(ms, life.name, 'wakes', () => {
          if (life.isDead) return;
          signal?.removeEventListener('abort', onAbort);
          resolve();
        });
        const onAbort = (): void => {
          cancel();
          resolve();
        };
        signal?.addEventListener('abort', onAbort, { once: true });
      }),
  };
}

/** Returns a delay around `meanMs`, rarely a much longer one. */
export function delayOf({ scheduler: { random } }: Simulator, meanMs: number): number {
  if (meanMs === 0) return 0;
  const fraction = random.fraction();
  return Math.min(maxDelayMs, meanMs * (0.2 + fraction * fraction * (fraction > 0.97 ? 20 : 2)));
}

/** Real adapters time out after this. */
const maxDelayMs = 15_000;
