import type { Stack } from '../../stack/locate.js';
import { requireSnapshot } from '../../stack/snapshot/places.js';
import { confirm, type ConfirmWords } from '../prompt.js';
import type { Surroundings } from '../target.js';
import { safe } from '../text.js';

/**
 * Asks before a stack is brought back to a snapshot, if there is one of that name. Resolves with whether to go on.
 *
 * @throws StackError SNAPSHOT_NOT_FOUND, NAME_INVALID; CliError as `confirm`
 */
export async function confirmRestore(
  { name, layout }: Stack,
  snapshot: string,
  words: ConfirmWords,
  surroundings: Surroundings,
): Promise<boolean> {
  await requireSnapshot(layout, snapshot);
  const text = `What ${name} has done since the snapshot ${safe(snapshot)} will be deleted.`;
  return confirm({ text }, words, surroundings);
}
