import type { Output } from './terminal/output.js';

/** The signals that ask a program to end. */
const ending = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
export type EndingSignal = (typeof ending)[number];

/** The exit codes of programs ended by these signals. */
export const signalCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

/** Signals that are handled instead of ending the process at once. */
export interface Signals {
  /** The first signal; undefined if there was none. */
  first(): EndingSignal | undefined;
  /** Calls the listener for each signal from now on, until the returned function is called. */
  listen(listener: (signal: EndingSignal) => void): () => void;
}

/** Replaces all listeners for these signals, so that the signals do not end the process. */
export function takeSignals(): Signals {
  const listeners = new Set<(signal: EndingSignal) => void>();
  let first: EndingSignal | undefined;
  for (const signal of ending) {
    process.removeAllListeners(signal).on(signal, () => {
      first ??= signal;
      for (const listener of [...listeners]) listener(signal);
    });
  }
  return {
    first: () => first,
    listen: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Waits for the next signal; `end` stops waiting. */
export function nextSignal(signals: Signals): { readonly came: Promise<EndingSignal>; readonly end: () => void } {
  let end = (): void => undefined;
  const came = new Promise<EndingSignal>((resolve) => {
    end = signals.listen(resolve);
  });
  return { came, end };
}

/** Ends the program on Ctrl-C. A terminal shows `^C`, so the line is ended before the shell's prompt. */
export function endOnInterrupt(
  output: () => Output,
  exit: () => void,
  signals: Pick<NodeJS.Process, 'once'> = process,
): void {
  signals.once('SIGINT', () => {
    const { err } = output();
    // Writes to a terminal are synchronous.
    if (err.isTerminal) void err.write('\n');
    exit();
  });
}
