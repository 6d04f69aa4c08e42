import type { startFlags } from './flags.js';
import type { FlagsOf } from '../../flag-types.js';
import { quote } from '../../../client/curl.js';
import { externalCommand } from '../../../stack/engines/external.js';
import { placeFrom } from '../../../stack/layout.js';
import { loadStack, type Stack } from '../../../stack/places/locate.js';
import type { StartOptions } from '../../../stack/running/start-options.js';
import type { ServiceRow } from '../../../stack/status.js';
import { durationMs } from '../../duration.js';
import { confirm } from '../../terminal/prompt.js';
import { chooseStackToChange, openStack, type CommandContext } from '../../requests/target.js';
import { findCheckedOut } from './checkout.js';
import { fundsNote } from './funds-note.js';
import type { InterruptSource } from './interrupt.js';
import { start } from './progress.js';
import { silenceNote } from './silence-note.js';

export type StartFlags = FlagsOf<typeof startFlags> & {
  readonly name?: string | undefined;
};

/**
 * `stack start`. Resolves with false if the user declines, and nothing was started.
 *
 * @throws StackError as `startStack`, `resetStack`, `createStack`; CliError INTERRUPTED with `--foreground`
 */
export async function startOne(flags: StartFlags, context: CommandContext): Promise<boolean> {
  const timeoutMs = durationMs(flags.timeout, '--timeout');
  const stack = await openOrInit(flags, context);
  const options: StartOptions = {
    timeoutMs,
    wait: !flags['no-wait'],
    reassignPorts: flags['reassign-ports'],
    host: flags.host,
    ...(flags.external === undefined ? {} : { external: flags.external }),
    ...(flags.smoke === undefined ? {} : { smoke: flags.smoke }),
  };
  if (flags.fresh) {
    const text = `Everything that ${stack.name} has recorded will be deleted.`;
    if (!(await confirm({ text }, flags, context))) return false;
    const { resetStack } = await import('../../../stack/reset.js');
    const onSilent = silenceNote(stack.name, context.output);
    await resetStack(stack, { onSilent, followedBy: { ...options, onFunds: fundsNote(context.output) } });
  }
  const snapshot = flags['from-snapshot'];
  if (snapshot !== undefined) {
    const { confirmRestore } = await import('../../snapshots/confirm-restore.js');
    if (!(await confirmRestore(stack, snapshot, flags, context))) return false;
    const { restoreSnapshot } = await import('../../../stack/snapshot/restoring/restore.js');
    await restoreSnapshot(stack, snapshot, { restart: false });
  }
  if (flags.foreground) {
    const { stayInForeground } = await import('./foreground.js');
    await stayInForeground(stack, () => begin(stack, options, flags, context), context);
  } else await begin(stack, options, flags, context);
  return true;
}

async function begin(stack: Stack, options: StartOptions, flags: StartFlags, context: CommandContext): Promise<void> {
  // In the foreground an interruption stops the stack, so the note that it keeps starting would be wrong.
  const source = flags.foreground ? noInterrupts : process;
  const { services } = await start(stack, options, flags.progress, context, {
    signals: source,
    hasHooks: !flags['no-hooks'],
  });
  await noteExternals(stack, services, context);
  const node = services.find(({ kind, state }) => kind === 'node' && state === 'healthy');
  if (!flags.open || typeof node?.url !== 'string') return;
  const { launchPage, noteCredentials } = await import('../watching/open-page.js');
  await launchPage(`${node.url}/ui`, context);
  await noteCredentials(stack, node.name, context);
}

const noInterrupts: InterruptSource = { prependListener: () => process, off: () => process };

/** Prints the commands for nodes that the user runs. */
async function noteExternals(
  { layout }: Stack,
  services: readonly ServiceRow[],
  { output }: CommandContext,
): Promise<void> {
  for (const { name } of services.filter(({ kind, isExternal }) => kind === 'node' && isExternal)) {
    const { program, config } = externalCommand(layout, name);
    await output.note(`Run ${name} yourself:\n  node --inspect ${quote(program)} ${quote(config)}`);
  }
}

async function openOrInit(flags: StartFlags, context: CommandContext): Promise<Stack> {
  const place = placeFrom(context.environment);
  const snapshot = flags['from-snapshot'];
  if (flags.init === undefined) {
    const checkedOut = await findCheckedOut(place, flags, context);
    if (checkedOut !== undefined) return checkedOut;
    const words = snapshot === undefined ? ['--fresh'] : ['--from-snapshot', snapshot];
    const yes = flags.yes && (flags.fresh || snapshot !== undefined);
    const name = await chooseStackToChange({ ...flags, yes }, context, ['start', ...words].join(' '));
    return openStack({ stack: name }, context);
  }
  const name = flags.stack ?? flags.name ?? (context.environment['STACK_NAME'] || undefined);
  const workingDirectory = process.cwd();
  const { createStack } = await import('../../../stack/create.js');
  const created = await createStack(place, { name, template: flags.init, ifMissing: true, workingDirectory });
  return loadStack(place, created.name);
}
