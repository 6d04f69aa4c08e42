import type { Clock } from '../../ports/clock.js';

export interface Delay {
  readonly backOffMs: number;
  readonly untilMs: number;
}

export interface Delays {
  /**
   * Starts a delay: 100 ms at first, then twice the previous one, up to ten seconds. With a higher maximum it grows by
   * half beyond ten seconds, so that it is about half the total time waited so far.
   */
  longer(previous: Delay | undefined, maxMs?: number): Delay;
  isOver(delay: Delay | undefined): boolean;
  leftMs(delay: Delay | undefined): number;
  /** Cancels all delays without calling `onOver`. */
  end(): void;
}

const firstBackOffMs = 100;
const maxBackOffMs = 10_000;

function nextBackOffMs({ backOffMs }: Delay, maxMs: number): number {
  return Math.min(backOffMs * (backOffMs < maxBackOffMs ? 2 : 1.5), maxMs);
}

/** Creates growing delays. `onOver` is called at the end of each, so no polling is needed. */
export function createDelays(clock: Clock, onOver: () => void): Delays {
  const waits = new Set<AbortController>();
  return {
    longer(previous, maxMs = maxBackOffMs) {
      const backOffMs = previous === undefined ? firstBackOffMs : nextBackOffMs(previous, maxMs);
      const waiting = new AbortController();
      waits.add(waiting);
      void clock.sleep(backOffMs, waiting.signal).then(() => {
        waits.delete(waiting);
        if (!waiting.signal.aborted) onOver();
      });
      return { backOffMs, untilMs: clock.monotonicMs() + backOffMs };
    },
    isOver: (delay) => delay === undefined || delay.untilMs <= clock.monotonicMs(),
    leftMs: (delay) => (delay === undefined ? 0 : Math.max(0, delay.untilMs - clock.monotonicMs())),
    end() {
      for (const waiting of waits) waiting.abort('stopping');
    },
  };
}
