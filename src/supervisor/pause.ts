import type { Child } from './process.js';

/** Holds a process still for a while. Nobody asks meanwhile whether it lives. */
export interface Pause {
  isOn(): boolean;
  /** How often it was paused or resumed: an answer that was asked for before the last time says nothing. */
  turns(): number;
  /** @throws Error when the process cannot be held */
  begin(): Promise<void>;
  end(): void;
  /** Resolves when it is not paused, or the signal is aborted. */
  over(signal: AbortSignal): Promise<void>;
}

/** A pause of one process that calls back after each turn. */
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
