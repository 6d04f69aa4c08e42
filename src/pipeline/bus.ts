/** A kind of rows that may have changed. A bell carries no data: the rows are the queue. */
export type Bell =
  | 'messages'
  /** Messages of other parties that may still have to be decided. */
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

/** Waits for some of the bells. A ring while nobody waits is kept. */
export interface Listening {
  /** Resolves at the next ring, at once if there was one since the last wait, or when the signal is aborted. */
  wait(signal?: AbortSignal): Promise<void>;
  /** Wakes this listener only. */
  ring(): void;
  close(): void;
}

/** Notifies loops of changed rows. If a ring is lost, the node is slower but not wrong. */
export interface Bus {
  ring(...bells: readonly Bell[]): void;
  listen(...bells: readonly Bell[]): Listening;
}

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
            // The signal outlives the wait, so its listener would leak.
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
