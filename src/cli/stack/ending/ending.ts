import type { removeFlags, resetFlags, stopFlags } from '../starting/flags.js';
import type { FlagsOf } from '../../flag-types.js';
import { dirname } from 'node:path';
import { placeFrom } from '../../../stack/layout.js';
import { listStacks } from '../../../stack/places/list.js';
import { locateStack } from '../../../stack/places/locate.js';
import { removeStack } from '../../../stack/remove.js';
import { resetStack } from '../../../stack/reset.js';
import { stopStack } from '../../../stack/running/stop.js';
import { durationMs } from '../../duration.js';
import { CliError } from '../../errors/exit.js';
import { answer } from '../../terminal/answer.js';
import { withProgress } from '../../terminal/progress.js';
import { confirm } from '../../terminal/prompt.js';
import { afterStart } from '../starting/after-start.js';
import { fundsNote } from '../starting/funds-note.js';
import { silenceNote } from '../starting/silence-note.js';
import { beforeStop } from './before-stop.js';
import { answerForStacks, forEachStack } from './several-stacks.js';
import { startedText } from '../watching/view.js';
import {
  chooseStack,
  chooseStackToChange,
  type CommandContext,
  openStack,
  requireNamed,
} from '../../requests/target.js';
import { safe, sizeOf } from '../../terminal/text.js';

export type StopFlags = FlagsOf<typeof stopFlags> & {
  readonly names: readonly string[];
};

/** `stack stop`. Stops the other stacks, too, if one fails. @throws CliError USAGE; StackError as `stopStack` */
export async function stopMany(flags: StopFlags, context: CommandContext): Promise<void> {
  const { output, environment } = context;
  const timeoutMs = durationMs(flags.timeout, '--timeout');
  const service = flags.party === undefined ? {} : { service: flags.party };
  const stopped: string[] = [];
  const alreadyStopped: string[] = [];
  const forced: string[] = [];
  const names = await namesOf(flags, context);
  if (flags.party !== undefined && (flags.all || names.length > 1)) {
    throw new CliError('USAGE', '--party needs exactly one stack.');
  }
  const failures = await forEachStack(names, async (name) => {
    const located = await locateStack(placeFrom(environment), name);
    const failedHook = flags.party === undefined ? await beforeStop(located, context) : undefined;
    const outcome = await stopStack(located, { timeoutMs, ...service, onSilent: silenceNote(name, output) });
    (outcome.alreadyStopped ? alreadyStopped : stopped).push(flags.party ?? name);
    forced.push(...outcome.forced);
    if (failedHook !== undefined) throw failedHook;
  });
  const [stack = ''] = names;
  const where = flags.party === undefined ? '' : ` of ${stack}`;
  const lines = [
    ...stopped.map((name) => `${output.out.paint('green', '✓')} ${name}${where} stopped`),
    ...alreadyStopped.map((name) => `${name}${where} is already stopped`),
    ...(forced.length === 0 ? [] : [`Killed because they did not stop in time: ${forced.join(', ')}`]),
  ];
  const members = { ...(flags.party !== undefined && { stack }), stopped, alreadyStopped, forced };
  const primary = [...stopped, ...alreadyStopped].join('\n');
  await answerForStacks({ names, failures, members, text: lines.join('\n'), primary }, context);
}

/**
 * The stacks selected for a command that takes several, each once.
 *
 * @throws CliError USAGE for contradictory flags; as `choose`
 */
async function namesOf(
  flags: { readonly stack?: string | undefined; readonly names: readonly string[]; readonly all: boolean },
  context: CommandContext,
  choose: typeof chooseStack = chooseStack,
): Promise<readonly string[]> {
  const { stack, all } = flags;
  const names = [...new Set(flags.names)];
  requireNamed([stack, ...names], context.program);
  if (all) {
    if (stack !== undefined) throw new CliError('USAGE', '--all and --stack exclude each other.');
    if (names.length > 0) throw new CliError('USAGE', '--all and names exclude each other.');
    return (await listStacks(placeFrom(context.environment))).map(({ name }) => name);
  }
  if (names.length === 0) return [await choose(flags, context)];
  const other = names.find((name) => stack !== undefined && name !== stack);
  if (other === undefined) return names;
  throw new CliError('USAGE', `Two stacks are named: ${stack} and ${other}.`);
}

export type ResetFlags = FlagsOf<typeof resetFlags> & { readonly name?: string | undefined };

/** `stack reset`. @throws CliError USAGE; StackError as `resetStack` */
export async function resetOne(flags: ResetFlags, context: CommandContext): Promise<void> {
  const { output } = context;
  const timeoutMs = durationMs(flags.timeout, '--timeout');
  const isDry = flags['dry-run'];
  const yes = flags.yes && !isDry;
  const name = await chooseStackToChange({ ...flags, yes }, context, 'reset');
  const stack = await openStack({ stack: name }, context);
  if (flags.to !== undefined) {
    const { restoreInPlace } = await import('../../snapshots/restore.js');
    await restoreInPlace(stack, flags.to, flags, context);
    return;
  }
  const what = stack.settings.chain.external === null ? 'the chain' : 'the contracts';
  const text = `All messages and ${what} of ${stack.name} will be ${what === 'the chain' ? 'deleted' : 'abandoned'}.`;
  if (!isDry && !(await confirm({ text }, flags, context))) return;
  const options = { timeoutMs, restart: !flags['no-restart'], dryRun: isDry };
  const notes = { onFunds: fundsNote(output), onSilent: silenceNote(name, output) };
  const {
    freedBytes,
    restarted,
    start: started,
  } = await withProgress(output, flags.progress, (onProgress) =>
    resetStack(stack, { ...options, ...notes, onProgress }),
  );
  if (started !== null) {
    await afterStart({ stack, env: started.env, directory: dirname(stack.definitionFile) }, context);
  }
  const freed = `${stack.name} ${isDry ? 'would free' : 'is reset; freed'} ${sizeOf(freedBytes)}`;
  const lines = [
    `${output.out.paint('green', '✓')} ${freed}`,
    ...(started === null ? [] : [startedText(started, context)]),
  ];
  await answer(output, { reset: stack.name, freedBytes, restarted }, lines.join('\n'), stack.name);
}

export type RemoveFlags = FlagsOf<typeof removeFlags> & {
  readonly names: readonly string[];
};

/**
 * `stack remove`. Removes the other stacks, too, if one fails.
 *
 * @throws CliError USAGE, UNHEALTHY naming everything that could not be deleted; StackError LOCKED
 */
export async function removeMany(flags: RemoveFlags, context: CommandContext): Promise<void> {
  const { output, environment } = context;
  const place = placeFrom(environment);
  const known = new Set((await listStacks(place)).map(({ name }) => name));
  const removed: string[] = [];
  const absent: string[] = [];
  const leftovers: string[] = [];
  const kept: string[] = [];
  const names = await namesOf(flags, context, () => chooseStackToChange(flags, context, 'remove'));
  // All questions come before the first removal, so that declining one leaves everything unchanged.
  for (const name of names.filter((each) => known.has(each))) {
    const exception = flags['keep-snapshots'] ? ' except its snapshots' : '';
    const text = `The stack ${name} will be deleted with all its data${exception}.`;
    const named = `Add --yes: ${context.program} remove ${names.join(' ')} --yes`;
    if (!(await confirm({ text, answer: name, hint: named }, flags, context))) return;
  }
  const failures = await forEachStack(names, async (name) => {
    if (!known.has(name)) {
      absent.push(name);
      return;
    }
    const options = { force: flags.force, keepSnapshots: flags['keep-snapshots'], onSilent: silenceNote(name, output) };
    const outcome = await removeStack(await locateStack(place, name), options);
    kept.push(...outcome.kept);
    removed.push(...outcome.removed);
    leftovers.push(...outcome.leftovers);
    if (outcome.leftovers.length === 0) return;
    throw new CliError('UNHEALTHY', `Could not be removed: ${outcome.leftovers.join(', ')}.`, {
      details: { removed, leftovers, kept },
    });
  });
  const lines = [
    ...removed.map((name) => `${output.out.paint('green', '✓')} ${name} removed`),
    ...absent.map((name) => `No stack named ${name}; nothing to remove`),
    ...kept.map((path) => `  ${safe(path)}`),
  ];
  if (kept.length > 0) {
    await output.note(
      `The exported snapshots contain the private keys of every party. To create a stack from one: ` +
        `${context.program} snapshot import ${safe(kept[0] ?? '')} --as NAME`,
    );
  }
  const text = names.length === 0 ? 'No stack exists; nothing to remove' : lines.join('\n');
  const members = { removed, leftovers, kept };
  await answerForStacks({ names, failures, members, text, primary: removed.join('\n') }, context);
}
