/**
 * The kind of rows that may have changed. A bell tells where to look, never the content: the rows are the queue.
 */
export type Bell =
  | 'messages'
  /** Messages of other parties, which may still wait to be decided. */
  | 'received'
  | 'operations'
  | 'blocks'
  | 'due'
  | 'events'
  | 'members'
  | 'subscriptions'
  | 'cancellations'
  | 'listeners'
  | 'judgements';

/** One loop's ear on a bell. A ring while nobody waits is kept. */
export interface Listening {
  /** Resolves at the next ring, or at once if there was one since the last wait, or when the signal aborts. */
  wait(signal?: AbortSignal): Promise<void>;
  /** Rings for this ear alone. */
  ring(): void;
  close(): void;
}

/** The doorbell between stages. Lose every ring and the node is slower, not wrong. */
export interface Bus {
  ring(...bells: readonly Bell[]): void;
  /** An ear on any of these. */
  listen(...bells: readonly Bell[]): Listening;
}

/** A bus within one process. */
export function createBus(): Bus {
  const ears = new Set<{ readonly heard: readonly Bell[]; hear: () => void }>();
  return {
    ring(...bells) {
      for (const ear of ears) {
        if (ear.heard.some((bell) => bells.includes(bell))) ear.hear();
      }
    },
    listen(...heard) {
      let isRung = false;
      let wake: (() => void) | undefined;
      const ear = {
        heard,
        hear: () => {
          isRung = true;
          wake?.();
        },
      };
      ears.add(ear);
      return {
        async wait(signal) {
          if (!isRung && signal?.aborted !== true) {
            await new Promise<void>((resolve) => {
              wake = () => resolve();
              signal?.addEventListener('abort', wake);
            });
            // The signal outlives the wait: a listener of every wait would stay with it as long as the node runs.
            if (wake !== undefined) signal?.removeEventListener('abort', wake);
            wake = undefined;
          }
          isRung = false;
        },
        ring: ear.hear,
        close: () => ears.delete(ear),
      };
    },
  };
}
