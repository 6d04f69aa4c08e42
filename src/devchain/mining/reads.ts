import assert from 'node:assert/strict';

/** Separates reads from changes of the chain. */
export interface Reads {
  run<T>(read: () => Promise<T>): Promise<T>;
  /** Makes further reads wait until `release`; resolves when no read is in progress. */
  hold(): Promise<void>;
  release(): void;
}

export function createReads(): Reads {
  let running = 0;
  let isHeld = false;
  let waiting: (() => void)[] = [];
  let onDrained: (() => void) | undefined;
  return {
    async run(read) {
      if (isHeld) await new Promise<void>((resolve) => waiting.push(resolve));
      else running += 1;
      try {
        return await read();
      } finally {
        running -= 1;
        if (running === 0) onDrained?.();
      }
    },
    async hold() {
      assert(!isHeld, 'one turn at a time');
      isHeld = true;
      if (running > 0) await new Promise<void>((resolve) => (onDrained = resolve));
      onDrained = undefined;
    },
    release() {
      isHeld = false;
      // Counted here, so that the next turn waits for them; otherwise a busy chain would never run a read.
      running += waiting.length;
      const admitted = waiting;
      waiting = [];
      for (const admit of admitted) admit();
    },
  };
}
