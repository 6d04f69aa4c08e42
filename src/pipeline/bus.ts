/** A kind of rows that may have changed. A bell carries no data: the rows are the queue. */
export type Bell =
  | 'messages'
  /** Messages of other parties that may still need a decision. */
  | 'received'
  | 'operations'
  | 'blocks'
  | 'due'
  /** Remainders of large batches that are due. */
  | 'remainders'
  | 'events'
  | 'members'
  | 'subscriptions'
  | 'cancellations'
  | 'listeners'
  | 'judgements';

/** Waits for some of the bells. A ring while nobody waits is kept. */
export interface BellListener {
  /** Resolves at the next ring, at once if there was one since the last wait, or when the signal is aborted. */
  wait(signal?: AbortSignal): Promise<void>;
  /** Wakes this listener only. */
  ring(): void;
  close(): void;
}

/** Notifies loops of changed rows. If a ring is lost, the node is slower but not wrong. */
export interface Bus {
  ring(...bells: readonly Bell[]): void;
  listen(...bells: readonly Bell[]): BellListener;
}

export function createBus(): Bus {
  const listeners = new Set<{ readonly wanted: readonly Bell[]; notify: () => void }>();
  return {
    ring(...bells) {
      for (const listener of listeners) {
        if (listener.wanted.some((bell) => bells.includes(bell))) listener.notify();
      }
    },
    listen(...wanted) {
      let isRung = false;
      let wake: (() => void) | undefined;
      const listener = {
        wanted,
        notify: () => {
          isRung = true;
          wake?.();
        },
      };
      listeners.add(listener);
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
        ring: listener.notify,
        close: () => listeners.delete(listener),
      };
    },
  };
}
