import type { Clock } from '../../../ports/clock.js';

/** A signal to one waiter, which remembers one ring. */
export interface WakeSignal {
  ring(): void;

  /** Resolves with true after a ring, including an earlier one; with false if there was none for `timeoutMs`. */
  wait(timeoutMs: number): Promise<boolean>;
}

export function createWakeSignal(clock: Clock): WakeSignal {
  let rung = new AbortController();
  return {
    // An explicit reason avoids the stack trace of the default one.
    ring: () => rung.abort('rung'),
    async wait(timeoutMs) {
      await clock.sleep(timeoutMs, rung.signal);
      const isRung = rung.signal.aborted;
      rung = new AbortController();
      return isRung;
    },
  };
}
