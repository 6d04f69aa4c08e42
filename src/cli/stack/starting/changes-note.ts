import { changeText, type SettingChange } from '../../../stack/definition/changes.js';
import type { Output } from '../../terminal/output.js';
import { safe } from '../../terminal/text.js';

/** Prints which settings differ from the running stack, and what happens with them; in JSON they are in the answer. */
export async function tellChanges(
  changes: readonly SettingChange[],
  isRunning: boolean,
  output: Output,
): Promise<void> {
  if (output.isJson) return;
  const head = `stack.yaml has changed since the last start.${isRunning ? ' The stack is restarted with it:' : ''}`;
  await output.note([head, ...changes.map((change) => `  ${safe(changeText(change))}`)].join('\n'));
}
