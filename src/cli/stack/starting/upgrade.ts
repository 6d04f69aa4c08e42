import type { upgradeFlags } from './flags.js';
import type { FlagsOf } from '../../flag-types.js';
import { dirname } from 'node:path';
import { type UpgradeResult, upgradeStack } from '../../../stack/upgrade/upgrade.js';
import { textOf } from '../../../wire/json/json.js';
import { durationMs } from '../../duration.js';
import { result } from '../../terminal/output.js';
import { withProgress } from '../../terminal/progress.js';
import { openStack, type CommandContext } from '../../requests/target.js';
import { afterStart } from './after-start.js';

export type UpgradeFlags = FlagsOf<typeof upgradeFlags> & {
  readonly name?: string | undefined;
};

/** `stack upgrade`. @throws CliError USAGE; StackError as `upgradeStack` */
export async function upgradeOne(flags: UpgradeFlags, context: CommandContext): Promise<void> {
  const { output } = context;
  const timeoutMs = durationMs(flags.timeout, '--timeout');
  const stack = await openStack(flags, context);
  const upgraded = await withProgress(output, flags.progress, (onProgress) =>
    upgradeStack(stack, {
      timeoutMs,
      dryRun: flags['dry-run'],
      snapshot: !flags['no-snapshot'],
      onProgress,
      onBegin: async ({ snapshot }) => {
        if (snapshot !== null) await output.note(`The state before the upgrade is saved in the snapshot ${snapshot}.`);
      },
    }),
  );
  const { start, ...members } = upgraded;
  if (start !== null) await afterStart({ stack, env: start.env, directory: dirname(stack.definitionFile) }, context);
  if (output.isJson) await output.json(textOf(result({ ...members, running: start !== null })));
  else if (output.isQuiet) await output.line(upgraded.name);
  else await output.line(textFor(upgraded, flags, context));
}

function textFor(
  { name, from, to, upgraded, snapshot, start }: UpgradeResult,
  flags: UpgradeFlags,
  { output, program }: CommandContext,
): string {
  if (from === to) return `${name} is already of this version: its databases have form ${to}.`;
  if (!upgraded) {
    const save = flags['no-snapshot'] ? '' : 'save a snapshot, ';
    return `${name} would stop, ${save}migrate its databases from form ${from} to ${to}, and start.`;
  }
  const state = start === null ? 'It is stopped, as before.' : 'It is running again.';
  const back = snapshot === null ? '' : ` To go back, use the older version: ${program} snapshot restore ${snapshot}`;
  return `${output.out.paint('green', '✓')} ${name} upgraded: form ${from} → ${to}. ${state}${back}`;
}
