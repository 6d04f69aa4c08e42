import { changeText, type SettingChange } from '../../stack/changes.js';
import type { Output } from '../output.js';
import { safe } from '../text.js';

/** Says what of the definition differs from what runs, and what is done about it; JSON has it in the answer. */
export async function tellChanges(
  changes: readonly SettingChange[],
  isRunning: boolean,
  output: Output,
): Promise<void> {
  if (output.isJson) return;
  const head = `stack.yaml has changed since the last start.${isRunning ? ' The stack is started anew with it:' : ''}`;
  await output.note([head, ...changes.map((change) => `  ${safe(changeText(change))}`)].join('\n'));
}
