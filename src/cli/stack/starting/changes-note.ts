import { changeText, type SettingChange } from '../../../stack/definition/changes.js';
import type { Output } from '../../terminal/output.js';
import { safe } from '../../terminal/text.js';

/** Prints the settings that differ from the last start. Prints nothing with `--json`, where the result has them. */
export async function noteChanges(
  changes: readonly SettingChange[],
  isRunning: boolean,
  output: Output,
): Promise<void> {
  if (output.isJson) return;
  const head = `stack.yaml has changed since the last start.${isRunning ? ' The stack is restarted:' : ''}`;
  await output.note([head, ...changes.map((change) => `  ${safe(changeText(change))}`)].join('\n'));
}
