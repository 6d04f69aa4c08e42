import type { Stack } from '../../stack/places/locate.js';
import { requireRestorable } from '../../stack/snapshot/restoring/restore.js';
import { confirm, type ConfirmFlags } from '../terminal/prompt.js';
import type { CommandContext } from '../requests/target.js';
import { safe } from '../terminal/text.js';

/**
 * Asks before a stack is brought back to a snapshot that it can go back to. Resolves with whether to go on.
 *
 * @throws StackError as `requireRestorable`; CliError as `confirm`
 */
export async function confirmRestore(
  stack: Stack,
  snapshot: string,
  flags: ConfirmFlags,
  context: CommandContext,
): Promise<boolean> {
  await requireRestorable(stack, snapshot);
  const text = `What ${stack.name} has done since the snapshot ${safe(snapshot)} will be deleted.`;
  return confirm({ text }, flags, context);
}
