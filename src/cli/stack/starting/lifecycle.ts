import type { removeFlags, resetFlags, stopFlags } from './flags.js';
import type { FlagsOf } from '../../flag-types.js';
import { dirname } from 'node:path';
import { placeFrom } from '../../../stack/layout.js';
import { listStacks } from '../../../stack/places/list.js';
import { locateStack, type Stack } from '../../../stack/places/locate.js';
import { removeStack } from '../../../stack/remove.js';
import { resetStack } from '../../../stack/reset.js';
import { type StartResult, startStack } from '../../../stack/running/start.js';
import type { StartOptions } from '../../../stack/running/start-options.js';
import { stopStack } from '../../../stack/running/stop.js';
import { textOf } from '../../../wire/json/json.js';
import { durationMs } from '../../duration.js';
import { CliError } from '../../errors/exit.js';
import { type Output, result } from '../../terminal/output.js';
import { type ProgressKind, showProgress } from '../../terminal/progress.js';
import { confirm } from '../../terminal/prompt.js';
import { type InterruptSource, noteOnInterrupt } from './interrupt.js';
import { afterStart } from './after-start.js';
import { beforeStop } from './before-stop.js';
import { tellChanges } from './changes-note.js';
import { plainNodes } from '../watching/plain-note.js';
import { fundsText } from './funds-note.js';
import { startedText, statusMembers } from '../watching/view.js';
import { chooseStack, chooseStackToChange, openStack, type CommandContext } from '../../requests/target.js';
import { safe, sizeOf } from '../../terminal/text.js';

interface InterruptOptions {
  readonly signals?: InterruptSource;
  /** The note about an interruption before anything has started. */
  readonly notBegunText?: string;
}

/** Starts a stack with progress and prints its status. */
export async function start(
  stack: Stack,
  options: StartOptions,
  kind: ProgressKind,
  context: CommandContext,
  { hasHooks = true, ...interruption }: InterruptOptions & { readonly hasHooks?: boolean } = {},
): Promise<StartResult> {
  const { output, program } = context;
  const started = await startWithProgress(stack, options, kind, { output, program }, interruption);
  if (!started.alreadyRunning && options.wait !== false && options.only === undefined) {
    const directory = dirname(stack.definitionFile);
    await afterStart({ stack, env: started.env, directory, hasHooks }, context);
  }
  const { alreadyRunning, durationMs: spentMs, smoke } = started;
  if (alreadyRunning && options.reassignPorts === true) {
    await output.note('It runs already and keeps its ports. Stop it before you start it with others.');
  }
  const plain = plainNodes(stack.settings, started);
  if (plain !== undefined) await output.note(plain);
  const { changes } = started;
  const members = { ...statusMembers(started), alreadyRunning, durationMs: spentMs, smoke, changes };
  await answer(output, members, startedText(started, { output, program }), started.name);
  return started;
}

/** Starts a stack with progress. @throws StackError as `startStack` */
export async function startWithProgress(
  stack: Stack,
  options: StartOptions,
  kind: ProgressKind,
  { output, program }: Pick<CommandContext, 'output' | 'program'>,
  { signals = process, notBegunText }: InterruptOptions = {},
): Promise<StartResult> {
  const progress = showProgress(output, kind);
  const interruption = noteOnInterrupt({ name: stack.name, program, output, notBegunText }, signals);
  try {
    return await startStack(stack, {
      ...options,
      onProgress: (view) => {
        interruption.begun();
        progress.listener(view);
      },
      onWait: ({ pid, purpose }) => {
        const then = purpose === 'start' ? 'joins it' : 'waits for it';
        void output.note(`Another command (${purpose}, pid ${pid}) is at work; this one ${then}.`);
      },
      onFunds: (needs) => void output.note(fundsText(needs)),
      onChanges: (changes, { isRunning }) => tellChanges(changes, isRunning, output),
    });
  } finally {
    interruption.end();
    await progress.end();
  }
}

export type StopFlags = FlagsOf<typeof stopFlags> & {
  readonly names: readonly string[];
};

/** `stack stop`. @throws CliError USAGE; StackError as `stopStack` */
export async function stopMany(flags: StopFlags, context: CommandContext): Promise<void> {
  const { output, environment } = context;
  const timeoutMs = durationMs(flags.timeout, '--timeout');
  const service = flags.party === undefined ? {} : { service: flags.party };
  const stopped: string[] = [];
  const alreadyStopped: string[] = [];
  const forced: string[] = [];
  let failure: CliError | undefined;
  const names = await namesOf(flags, context);
  if (flags.party !== undefined && (flags.all || names.length > 1)) {
    throw new CliError('USAGE', '--party names a party of one stack: it goes with one name, not with --all.');
  }
  for (const name of names) {
    const stack = await locateStack(placeFrom(environment), name);
    const hook = flags.party === undefined ? await beforeStop(stack, context) : undefined;
    const outcome = await stopStack(stack, { timeoutMs, ...service });
    failure ??= hook;
    (outcome.alreadyStopped ? alreadyStopped : stopped).push(flags.party ?? name);
    forced.push(...outcome.forced);
  }
  const [stack = ''] = names;
  const where = flags.party === undefined ? '' : ` of ${stack}`;
  const lines = [
    ...stopped.map((name) => `${output.out.paint('green', '✓')} ${name}${where} stopped`),
    ...alreadyStopped.map((name) => `${name}${where} is stopped already`),
    ...(forced.length === 0 ? [] : [`Killed, since they did not end in time: ${forced.join(', ')}`]),
  ];
  if (failure !== undefined) throw failure;
  const members = { ...(flags.party !== undefined && { stack }), stopped, alreadyStopped, forced };
  await answer(output, members, lines.join('\n'));
}

/** The stacks selected for a command that takes several. */
async function namesOf(
  flags: { readonly stack?: string | undefined; readonly names: readonly string[]; readonly all: boolean },
  context: CommandContext,
  choose: typeof chooseStack = chooseStack,
): Promise<readonly string[]> {
  if (flags.all) {
    if (flags.names.length > 0) throw new CliError('USAGE', '--all and names exclude each other.');
    return (await listStacks(placeFrom(context.environment))).map(({ name }) => name);
  }
  return flags.names.length > 0 ? flags.names : [await choose(flags, context)];
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
  const text = `All messages and ${what} of ${stack.name} will be ${what === 'the chain' ? 'deleted' : 'given up'}.`;
  if (!isDry && !(await confirm({ text }, flags, context))) return;
  const progress = showProgress(output, flags.progress);
  const options = { timeoutMs, restart: !flags['no-restart'], dryRun: isDry, onProgress: progress.listener };
  const { freedBytes, restarted, start: started } = await resetStack(stack, options).finally(() => progress.end());
  if (started !== null) {
    await afterStart({ stack, env: started.env, directory: dirname(stack.definitionFile) }, context);
  }
  const freed = `${stack.name} ${isDry ? 'would free' : 'is reset; freed'} ${sizeOf(freedBytes)}`;
  const lines = [
    `${output.out.paint('green', '✓')} ${freed}`,
    ...(started === null ? [] : [startedText(started, context)]),
  ];
  await answer(output, { reset: stack.name, freedBytes, restarted }, lines.join('\n'));
}

export type RemoveFlags = FlagsOf<typeof removeFlags> & {
  readonly names: readonly string[];
};

/** `stack remove`. @throws CliError USAGE, UNHEALTHY naming everything that could not be deleted; StackError LOCKED */
export async function removeMany(flags: RemoveFlags, context: CommandContext): Promise<void> {
  const { output, environment } = context;
  const place = placeFrom(environment);
  const known = new Set((await listStacks(place)).map(({ name }) => name));
  const removed: string[] = [];
  const absent: string[] = [];
  const leftovers: string[] = [];
  const kept: string[] = [];
  const names = await namesOf(flags, context, () => chooseStackToChange(flags, context, 'remove'));
  // All questions come before the first removal, so that a negative answer leaves everything unchanged.
  for (const name of names.filter((each) => known.has(each))) {
    const but = flags['keep-snapshots'] ? ' but its snapshots' : '';
    const text = `Everything of the stack ${name}${but} will be deleted.`;
    const named = `Add --yes: ${context.program} remove ${names.join(' ')} --yes`;
    if (!(await confirm({ text, answer: name, hint: named }, flags, context))) return;
  }
  for (const name of names) {
    if (!known.has(name)) {
      absent.push(name);
      continue;
    }
    const options = { force: flags.force, keepSnapshots: flags['keep-snapshots'] };
    const outcome = await removeStack(await locateStack(place, name), options);
    kept.push(...outcome.kept);
    removed.push(...outcome.removed);
    leftovers.push(...outcome.leftovers);
  }
  if (leftovers.length > 0) {
    throw new CliError('UNHEALTHY', `Could not be removed: ${leftovers.join(', ')}.`, {
      details: { removed, leftovers, kept },
    });
  }
  const lines = [
    ...removed.map((name) => `${output.out.paint('green', '✓')} ${name} removed`),
    ...absent.map((name) => `There is no stack ${name}; nothing to remove`),
    ...kept.map((path) => `  ${safe(path)}`),
  ];
  if (kept.length > 0) {
    await output.note(
      `Its snapshots are kept, with the private keys of every party. To go on from one: ` +
        `${context.program} snapshot import ${safe(kept[0] ?? '')} --as NAME`,
    );
  }
  await answer(
    output,
    { removed, leftovers, kept },
    lines.length === 0 ? 'There is no stack; nothing to remove' : lines.join('\n'),
  );
}

/** Prints the result of a command: as JSON, as text, or only its main value. */
export async function answer(
  output: Output,
  members: Readonly<Record<string, unknown>>,
  text: string,
  primary?: string,
): Promise<void> {
  if (output.isJson) await output.json(textOf(result(members)));
  else if (!output.isQuiet) await output.line(text);
  else if (primary !== undefined) await output.line(primary);
}
