import { askForRebuild, readRebuilt, requireRebuildable } from '../../stack/members/rebuild.js';
import type { RebuildResult } from '../../wire/rebuild.js';
import type { CommandResult } from '../base.js';
import { durationMs } from '../duration.js';
import { chooseStackToChange, openStack, type CommandContext } from '../requests/target.js';
import { startWithProgress } from '../stack/starting/progress.js';
import { secondsText } from '../terminal/progress.js';
import { confirm } from '../terminal/prompt.js';
import type { FlagsOf } from '../flag-types.js';
import type { rebuildFlags } from './flags.js';

type RebuildFlags = FlagsOf<typeof rebuildFlags> & { readonly party: string };

/**
 * `stack node rebuild`. Undefined if the user declines.
 *
 * @throws StackError as `requireRebuildable`, `askForRebuild`, `startStack`; CliError as `confirm`
 */
export async function rebuildOne(flags: RebuildFlags, context: CommandContext): Promise<CommandResult | undefined> {
  const { output, program } = context;
  const { party, from } = flags;
  const timeoutMs = durationMs(flags.timeout, '--timeout');
  const chosen = await chooseStackToChange(flags, context, `node rebuild ${party}`);
  const stack = await openStack({ stack: chosen }, context);
  await requireRebuildable(stack, party);
  const blocks = from === undefined ? 'blocks that are no longer on the chain' : `block ${from} onwards`;
  const consequence = `Everything that ${party} read from ${blocks} will be undone, read again and delivered again.`;
  if (!(await confirm({ text: consequence }, flags, context))) return undefined;
  const begun = performance.now();
  const isRunning = await askForRebuild(stack, party, from === undefined ? {} : { from });
  if (!isRunning) {
    const text = `${party} reads its history again at its next start: ${program} start ${stack.name}`;
    return { text, json: { party, rebuilt: false }, primary: party };
  }
  await startWithProgress(stack, { timeoutMs, only: [party], smoke: false }, flags.progress, context);
  const rebuilt = await readRebuilt(stack, party);
  const took = secondsText(Math.round(performance.now() - begun));
  const done = `${output.out.paint('green', '✓')} ${party} is running again after ${took}: ${rebuiltText(rebuilt)}`;
  const { keptBlock = null, readBlock = null } = rebuilt ?? {};
  return { text: done, json: { party, rebuilt: true, keptBlock, readBlock }, primary: party };
}

function rebuiltText(rebuilt: RebuildResult | undefined): string {
  const { keptBlock, readBlock } = rebuilt ?? {};
  if (keptBlock === undefined || readBlock === undefined) return 'it had read nothing from the chain';
  if (keptBlock >= readBlock) return `the chain has all ${readBlock} blocks that it had read, so nothing was undone`;
  return `blocks ${keptBlock + 1} to ${readBlock} were undone, and it reads the chain from there`;
}
