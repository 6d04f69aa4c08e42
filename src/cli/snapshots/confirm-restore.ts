import type { Stack } from '../../stack/places/locate.js';
import { requireRestorable } from '../../stack/snapshot/restoring/restore.js';
import { confirm, type ConfirmFlags } from '../terminal/prompt.js';
import type { CommandContext } from '../requests/target.js';
import { safe } from '../terminal/text.js';

/**
 * Checks that a snapshot can be restored, and asks for confirmation. Resolves with whether to continue.
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
  const text = `Everything that ${stack.name} has recorded since the snapshot ${safe(snapshot)} will be deleted.`;
  return confirm({ text }, flags, context);
}
