import type { Output } from '../../terminal/output.js';

/** The note on Ctrl-C during a start or a restart. */
export interface InterruptNote {
  /** Must be called when the supervisor gets its plan: after an interruption it may not have received it. */
  readonly launched: () => void;
  /** Must be called when the supervisor runs: from now on the stack keeps starting after an interruption. */
  readonly begun: () => void;
  /** Must be called when the start has ended. */
  readonly end: () => void;
}

interface InterruptNoteOptions {
  readonly name: string;
  readonly program: string;
  readonly output: Output;
  /** The note about an interruption before the supervisor runs. Default: nothing was started. */
  readonly notBegunText?: string | undefined;
}

export type InterruptSource = Pick<NodeJS.Process, 'prependListener' | 'off'>;

/**
 * Prints on Ctrl-C during a start that the stack keeps starting, since the supervisor is a separate process, and how to
 * continue. The program ends with 130 as usual.
 */
export function noteOnInterrupt(
  { name, program, output, notBegunText = `Nothing of ${name} was started.` }: InterruptNoteOptions,
  signals: InterruptSource = process,
): InterruptNote {
  let text = notBegunText;
  const listener = () => {
    // Writes to a terminal are synchronous, so the text is printed before the program ends.
    void output.note(text);
  };
  const steps = `${program} start ${name}   ·   stop it: ${program} stop ${name}`;
  signals.prependListener('SIGINT', listener);
  return {
    launched: () => {
      text = `${name} may be starting. Start it or wait for it: ${steps}`;
    },
    begun: () => {
      text = `${name} is still starting. Wait for it: ${steps}`;
    },
    end: () => void signals.off('SIGINT', listener),
  };
}
