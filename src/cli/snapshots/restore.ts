import type { Stack } from '../../stack/places/locate.js';
import { forkSnapshot } from '../../stack/snapshot/restoring/fork.js';
import { requireSnapshot } from '../../stack/snapshot/places.js';
import { restoreSnapshot } from '../../stack/snapshot/restoring/restore.js';
import { requireOwnEngines } from '../../stack/snapshot/saving/save.js';
import { textOf } from '../../wire/json/json.js';
import { durationMs } from '../duration.js';
import { result } from '../terminal/output.js';
import { type ProgressKind, withProgress } from '../terminal/progress.js';
import type { ConfirmFlags } from '../terminal/prompt.js';
import { startedText } from '../stack/watching/view.js';
import { chooseStackToChange, openStack, type CommandContext } from '../requests/target.js';
import { safe } from '../terminal/text.js';
import { confirmRestore } from './confirm-restore.js';
import { snapshotMembers } from './snapshots.js';

export interface RestoreFlags extends ConfirmFlags {
  readonly stack?: string | undefined;
  readonly as?: string | undefined;
  readonly 'no-restart': boolean;
  readonly timeout: string;
  readonly progress: ProgressKind;
}

/**
 * `stack snapshot restore`. Resolves with suggestions for the next command.
 *
 * @throws StackError as `restoreSnapshot` and `forkSnapshot`; CliError USAGE
 */
export async function restoreOne(
  name: string,
  flags: RestoreFlags,
  context: CommandContext,
): Promise<readonly string[]> {
  const { output } = context;
  const yes = flags.yes && flags.as === undefined;
  const chosen = await chooseStackToChange({ ...flags, yes }, context, `snapshot restore ${name}`);
  const stack = await openStack({ stack: chosen }, context);
  if (flags.as === undefined) {
    await restoreInPlace(stack, name, flags, context);
    return [];
  }
  await requireSnapshot(stack.layout, name);
  const { name: copy, dir, manifest } = await forkSnapshot(stack, name, flags.as);
  const mark = output.out.paint('green', '✓');
  const text = `${mark} ${copy} created: a copy of ${stack.name} at block ${manifest.chain.block}\n  ${safe(dir)}`;
  const members = { name: copy, dir, of: stack.name, snapshot: name, block: manifest.chain.block };
  if (output.isJson) await output.json(textOf(result(members)));
  else await output.line(output.isQuiet ? copy : text);
  return [`start ${copy}`];
}

/** Restores a snapshot after a confirmation. @throws as `confirmRestore`; StackError as `restoreSnapshot` */
export async function restoreInPlace(
  stack: Stack,
  name: string,
  flags: Omit<RestoreFlags, 'stack' | 'as'>,
  context: CommandContext,
): Promise<void> {
  const { output, program } = context;
  const timeoutMs = durationMs(flags.timeout, '--timeout');
  await requireOwnEngines(stack);
  if (!(await confirmRestore(stack, name, flags, context))) return;
  const options = { timeoutMs, restart: !flags['no-restart'] };
  const { manifest, start, isOlder } = await withProgress(output, flags.progress, (onProgress) =>
    restoreSnapshot(stack, name, { ...options, onProgress }),
  );
  const members = { restored: name, ...snapshotMembers(name, manifest), stack: stack.name, running: start !== null };
  const lines = [
    `${output.out.paint('green', '✓')} ${stack.name} is at block ${manifest.chain.block} again, as in ${name}`,
    ...(start === null ? [] : [startedText(start, context)]),
  ];
  if (output.isJson) await output.json(textOf(result(members)));
  else if (output.isQuiet) await output.line(stack.name);
  else await output.line(lines.join('\n'));
  if (isOlder) {
    const text = `The snapshot is of version ${manifest.parley}, which can start it.`;
    await output.note(`${text} To migrate it to this version: ${program} upgrade ${stack.name}`);
  }
}
