import type { Clock } from '../../ports/clock.js';

/** A time to wait, on the clock that never goes back. */
export interface Delay {
  readonly backOffMs: number;
  readonly untilMs: number;
}

export interface Delays {
  /** Begins a delay: 100 ms after none, twice the one before after another, at most ten seconds or so many. */
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

/** Growing delays. The end of each calls `onOver`, so nothing polls. */
export function createDelays(clock: Clock, onOver: () => void): Delays {
  const waits = new Set<AbortController>();
  return {
    longer(previous, maxMs = maxBackOffMs) {
      const backOffMs = previous === undefined ? firstBackOffMs : Math.min(previous.backOffMs * 2, maxMs);
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
