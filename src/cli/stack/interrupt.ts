import type { Output } from '../output.js';

/** A note for whoever interrupts a start. */
export interface InterruptNote {
  /** The supervisor runs: from now on an interruption leaves something behind. */
  begun(): void;
  /** Must be called when the start has ended. */
  end(): void;
}

/** Where interruptions are heard. */
export type InterruptSource = Pick<NodeJS.Process, 'prependListener' | 'off'>;

/**
 * Says on Ctrl-C during a start what is left and how to go on: the supervisor is a process of its own, so the stack
 * goes on starting. The program itself then ends with 130 as always.
 */
export function noteOnInterrupt(
  { name, program, output }: { readonly name: string; readonly program: string; readonly output: Output },
  signals: InterruptSource = process,
): InterruptNote {
  let hasBegun = false;
  const listener = () => {
    // The program ends behind this listener; a stream of the system has taken the text by then.
    void output.note(
      hasBegun
        ? `${name} goes on starting. Wait for it: ${program} start ${name}   ·   end it: ${program} stop ${name}`
        : `Nothing of ${name} was started.`,
    );
  };
  signals.prependListener('SIGINT', listener);
  return {
    begun: () => {
      hasBegun = true;
    },
    end: () => void signals.off('SIGINT', listener),
  };
}
