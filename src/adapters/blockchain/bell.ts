import type { Clock } from '../../ports/clock.js';

/** A doorbell that remembers one ring. */
export interface Bell {
  ring(): void;

  /** Resolves with true after a ring, also one from before; with false when nobody rang for `timeoutMs`. */
  wait(timeoutMs: number): Promise<boolean>;
}

export function createBell(clock: Clock): Bell {
  let rung = new AbortController();
  return {
    // With a reason of ours none is made, which would take a stack trace.
    ring: () => rung.abort('rung'),
    async wait(timeoutMs) {
      await clock.sleep(timeoutMs, rung.signal);
      const isRung = rung.signal.aborted;
      rung = new AbortController();
      return isRung;
    },
  };
}
