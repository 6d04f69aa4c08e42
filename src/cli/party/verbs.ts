import type { stackFlags } from '../flags.js';
import type { partyStartFlags } from './flags.js';
import type { FlagsOf } from '../flag-types.js';
import { pauseParty, requireMember, requireParty, resumeParty, stopParty } from '../../stack/members/party-control.js';
import { restartService } from '../../stack/running/stop.js';
import type { CommandResult } from '../base.js';
import { durationMs } from '../duration.js';
import { secondsText } from '../terminal/progress.js';
import { startWithProgress } from '../stack/starting/progress.js';
import { openRunningStack, openStack, type CommandContext } from '../requests/target.js';

export type PartyFlags = FlagsOf<typeof stackFlags> & { readonly name: string };

export type PartyStartFlags = FlagsOf<typeof partyStartFlags> & { readonly name: string };

/** `stack party pause`. @throws StackError as `pauseParty` */
export async function pauseOne(flags: PartyFlags, context: CommandContext): Promise<CommandResult> {
  const stack = await openRunningStack({ stack: flags.stack }, context);
  const { changed } = await pauseParty(stack, flags.name);
  return changeResult(flags, context, { changed, state: 'paused' });
}

/** `stack party resume`. @throws StackError as `resumeParty` */
export async function resumeOne(flags: PartyFlags, context: CommandContext): Promise<CommandResult> {
  const stack = await openRunningStack({ stack: flags.stack }, context);
  const { changed } = await resumeParty(stack, flags.name);
  return changeResult(flags, context, { changed, state: 'healthy', done: 'resumed', already: 'is already running' });
}

/** `stack party stop`. @throws StackError as `stopParty` */
export async function stopOne(flags: PartyFlags, context: CommandContext): Promise<CommandResult> {
  const stack = await openRunningStack({ stack: flags.stack }, context);
  const { changed, forced } = await stopParty(stack, flags.name);
  const result = changeResult(flags, context, { changed, state: 'stopped' });
  const text = forced ? `${result.text}; it did not stop in time and was killed` : result.text;
  return { ...result, text, json: { ...membersOf(result), forced } };
}

/** `stack party start`. @throws StackError as `requireParty`, `requireMember`, `startStack` */
export async function startOne(flags: PartyStartFlags, context: CommandContext): Promise<CommandResult> {
  return startAgain(flags, context, () => Promise.resolve());
}

/** `stack party restart`. @throws StackError as `startOne`, `restartService` */
export async function restartOne(flags: PartyStartFlags, context: CommandContext): Promise<CommandResult> {
  return startAgain(flags, context, (stack) => restartService(stack, flags.name));
}

async function startAgain(
  flags: PartyStartFlags,
  context: CommandContext,
  before: (stack: Awaited<ReturnType<typeof openStack>>) => Promise<void>,
): Promise<CommandResult> {
  const timeoutMs = durationMs(flags.timeout, '--timeout');
  const stack = await openStack({ stack: flags.stack }, context);
  await requireParty(stack, flags.name);
  await requireMember(stack, flags.name);
  await before(stack);
  const begun = performance.now();
  const options = { timeoutMs, only: [flags.name], smoke: false };
  const started = await startWithProgress(stack, options, flags.progress, context);
  const row = started.services.find(({ name }) => name === flags.name);
  const took = secondsText(Math.round(performance.now() - begun));
  const result = changeResult(flags, context, {
    changed: !started.alreadyRunning,
    state: row?.state ?? 'healthy',
    done: `is running again after ${took}   ${row?.url ?? ''}`.trimEnd(),
    already: 'is already running',
  });
  return { ...result, json: { ...membersOf(result), url: row?.url ?? null } };
}

interface Change {
  readonly changed: boolean;
  readonly state: string;
  /** The predicate after a change. Default: `is` and the state. */
  readonly done?: string;
  /** The predicate without a change. Default: `is already` and the state. */
  readonly already?: string;
}

function changeResult({ name }: PartyFlags, { output }: Pick<CommandContext, 'output'>, change: Change): CommandResult {
  const { changed, state, done = `is ${state}`, already = `is already ${state}` } = change;
  const text = changed ? `${output.out.paint('green', '✓')} ${name} ${done}` : `${name} ${already}`;
  return { text, json: { party: name, state, changed }, primary: name };
}

function membersOf({ json }: CommandResult): Readonly<Record<string, unknown>> {
  return typeof json === 'string' ? {} : json;
}
