import { setTimeout as sleep } from 'node:timers/promises';
import type { Output } from '../../terminal/output.js';
import type { CommandContext } from '../../requests/target.js';
import { showStatus, type StatusOptions } from './observe.js';

const pauseMs = 1_000;

/**
 * `stack status --watch`: reads the status every second until Ctrl-C. On a terminal it is redrawn; elsewhere, and as
 * JSON, it is printed after a change.
 *
 * @throws StackError as `showStatus`, also if the stack is removed
 */
export async function watchStatus(flags: StatusOptions, context: CommandContext): Promise<never> {
  const { output, environment, program } = context;
  for (let shown = ''; ; await sleep(pauseMs)) {
    const text = await captured(output, (inner) => showStatus(flags, { environment, program, output: inner }));
    if (output.isAnimated && output.out.isTerminal && !output.isJson) await output.draw(text.trimEnd().split('\n'));
    else if (text !== shown) await output.out.write(text);
    shown = text;
  }
}

/** The text that `write` prints. */
async function captured(output: Output, write: (inner: Output) => Promise<void>): Promise<string> {
  let text = '';
  const line = (more: string): Promise<void> => {
    text += `${more}\n`;
    return Promise.resolve();
  };
  const add: Output['out']['write'] = (more) => {
    text += typeof more === 'string' ? more : Buffer.from(more).toString();
    return Promise.resolve();
  };
  await write({ ...output, out: { ...output.out, write: add }, line, json: line, record: line, note: line });
  return text;
}
