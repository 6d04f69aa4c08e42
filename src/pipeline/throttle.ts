import type { Clock } from '../ports/clock.js';

/**
 * Runs the parts of large work one at a time, each followed by a pause, so that smaller work hardly waits for it. On a
 * busy machine parts take longer, and so do the pauses.
 */
export interface Throttle {
  /** Runs a part after all earlier ones and their pauses. */
  run<R>(part: () => Promise<R>): Promise<R>;
  /** Ends the pauses: parts follow each other from now on. */
  stop(): void;
}

/** Maximum number of contexts of a usual batch: two for each message that a batch can have. */
export const maxUsualContexts = 400;

/** A batch with thousands of contexts takes at most a sixth of a node's time. */
const usualRatio = 5;
/** A part may have waited for something other than the processor. */
const maxPauseMs = 250;

/**
 * Creates a throttle. `pauseRatio` is the length of a pause as a multiple of the part before it; the default is that of
 * the throttle that all stages of a node share.
 */
export function createThrottle(clock: Clock, { pauseRatio = usualRatio } = {}): Throttle {
  const stopping = new AbortController();
  let last: Promise<void> = Promise.resolve();
  let pauseMs = 0;

  async function timed<R>(part: () => Promise<R>): Promise<R> {
    const startMs = clock.monotonicMs();
    try {
      return await part();
    } finally {
      pauseMs = Math.min((clock.monotonicMs() - startMs) * pauseRatio, maxPauseMs);
    }
  }

  async function pause(): Promise<void> {
    if (pauseMs > 0) await clock.sleep(pauseMs, stopping.signal);
  }

  return {
    run(part) {
      const result = last.then(() => timed(part));
      last = result.then(pause, pause);
      return result;
    },
    stop: () => {
      stopping.abort('stopping');
    },
  };
}
