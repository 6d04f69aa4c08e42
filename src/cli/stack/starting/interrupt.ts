import type { Output } from '../../terminal/output.js';

/** A note for a user who interrupts a start or a restart. */
export interface InterruptNote {
  /** Called when the supervisor runs: from now on an interruption leaves a starting stack. */
  begun(): void;
  /** Must be called when the start has ended. */
  end(): void;
}

interface InterruptNoteOptions {
  readonly name: string;
  readonly program: string;
  readonly output: Output;
  /** The note about an interruption before the supervisor runs. Default: nothing was started. */
  readonly notBegunText?: string | undefined;
}

/** The source of interruptions. */
export type InterruptSource = Pick<NodeJS.Process, 'prependListener' | 'off'>;

/**
 * Prints on Ctrl-C during a start what is left and how to continue: the supervisor is a separate process, so the stack
 * keeps starting. The program itself ends with 130 as usual.
 */
export function noteOnInterrupt(
  { name, program, output, notBegunText = `Nothing of ${name} was started.` }: InterruptNoteOptions,
  signals: InterruptSource = process,
): InterruptNote {
  let hasBegun = false;
  const listener = () => {
    // The program ends after this listener; a system stream has accepted the text by then.
    void output.note(
      hasBegun
        ? `${name} is still starting. Wait for it: ${program} start ${name}   ·   end it: ${program} stop ${name}`
        : notBegunText,
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
