import type { Child } from './process.js';

/** Pauses a process. Its health is not checked meanwhile. */
export interface Pause {
  isOn(): boolean;
  /** Number of pauses and resumes so far: a health check that spans one has no meaning. */
  changes(): number;
  /** @throws Error if the process cannot be paused */
  begin(): Promise<void>;
  end(): void;
  /** Resolves when it is not paused, or the signal is aborted. */
  over(signal: AbortSignal): Promise<void>;
}

/** Creates the pause of one process, which calls back after each change. */
export function createPause(child: Pick<Child, 'pause' | 'resume'>, onChange: (isOn: boolean) => void): Pause {
  let isOn = false;
  let changes = 0;
  const waiting = new Set<() => void>();
  const change = (next: boolean): void => {
    isOn = next;
    changes++;
    onChange(next);
  };
  return {
    isOn: () => isOn,
    changes: () => changes,
    begin: async () => {
      if (isOn) return;
      await child.pause();
      change(true);
    },
    end: () => {
      if (!isOn) return;
      child.resume();
      change(false);
      for (const wake of waiting) wake();
    },
    over: (signal) =>
      new Promise((resolve) => {
        if (!isOn || signal.aborted) {
          resolve();
          return;
        }
        const wake = (): void => {
          waiting.delete(wake);
          signal.removeEventListener('abort', wake);
          resolve();
        };
        waiting.add(wake);
        signal.addEventListener('abort', wake);
      }),
  };
}
