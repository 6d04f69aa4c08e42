import type { SilenceListener } from '../../../stack/cleaning/stale.js';
import type { Output } from '../../terminal/output.js';

/** A listener that prints the process for whose answer a command waits. */
export function silenceNote(stack: string, output: Pick<Output, 'note'>): SilenceListener {
  return (pid, limitMs) => {
    const wait = `Waiting for the supervisor of ${stack} (pid ${pid}), which does not answer.`;
    void output.note(`${wait} After ${limitMs / 1_000} s it is killed with all its services.`);
  };
}
