import type { Clock } from '../../ports/clock.js';

/** A time to wait, on the clock that never goes back. */
export interface Delay {
  readonly backOffMs: number;
  readonly untilMs: number;
}

export interface Delays {
  /**
   * Begins a delay: 100 ms after none, twice the one before after another, at most ten seconds. With a longer maximum
   * it goes on to grow by half, so that it is about half as long as all before it together.
   */
  longer(previous: Delay | undefined, maxMs?: number): Delay;
  /** No delay is over. */
  isOver(delay: Delay | undefined): boolean;
  /** How much of it is left, in milliseconds; nothing of no delay. */
  leftMs(delay: Delay | undefined): number;
  /** Ends all delays that have begun; nobody is told. */
  end(): void;
}

const firstBackOffMs = 100;
const maxBackOffMs = 10_000;

function nextBackOffMs({ backOffMs }: Delay, maxMs: number): number {
  return Math.min(backOffMs * (backOffMs < maxBackOffMs ? 2 : 1.5), maxMs);
}

/** Growing delays. The end of each calls `onOver`, so nothing polls. */
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
