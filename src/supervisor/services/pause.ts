import type { Child } from './process.js';

/** Pauses a process. Its health is not checked meanwhile. */
export interface Pause {
  isOn(): boolean;
  /** Number of pauses and resumes so far: the result of a health check begun before the last one is ignored. */
  turns(): number;
  /** @throws Error if the process cannot be paused */
  begin(): Promise<void>;
  end(): void;
  /** Resolves when it is not paused, or the signal is aborted. */
  over(signal: AbortSignal): Promise<void>;
}

/** Creates the pause of one process, which calls back after each change. */
export function createPause(child: Pick<Child, 'pause' | 'resume'>, onTurn: (isOn: boolean) => void): Pause {
  let isOn = false;
  let turns = 0;
  const waiting = new Set<() => void>();
  const turn = (next: boolean): void => {
    isOn = next;
    turns++;
    onTurn(next);
  };
  return {
    isOn: () => isOn,
    turns: () => turns,
    begin: async () => {
      if (isOn) return;
      await child.pause();
      turn(true);
    },
    end: () => {
      if (!isOn) return;
      child.resume();
      turn(false);
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
