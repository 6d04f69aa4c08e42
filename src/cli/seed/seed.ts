import { quote } from '../../client/curl.js';
import { textOf, valueOf } from '../../wire/json/json.js';
import { compact } from '../../wire/json/json-reader.js';
import type { BaseCommand } from '../base.js';
import { CliError, exitNameOf } from '../errors/exit.js';
import { failureOf } from '../errors/failure.js';
import { type Output, result } from '../terminal/output.js';
import { captured } from './captured.js';
import { chooseParty } from '../party/choose-party.js';
import { openTarget, type CommandContext, type PartyNode, type Target, type TargetFlags } from '../requests/target.js';
import { safe } from '../terminal/text.js';
import { isPresent, untilUsable } from './present.js';
import { readSeed, type Step } from './read.js';

export interface SeedFlags extends TargetFlags {
  readonly files: readonly string[];
  readonly 'dry-run': boolean;
}

/** The context of the command `seed`, which its steps share. */
type SeedContext = CommandContext & Pick<BaseCommand, 'config'>;

/**
 * `stack seed`: applies the steps of files in order, each at most once (docs/operations.md §11.9). All files are
 * checked before the first step, also for names that are in use.
 *
 * @throws CliError as `readSeed` and the commands of the steps, CONFLICT
 */
export async function applySeeds(flags: SeedFlags, context: SeedContext): Promise<void> {
  const { output } = context;
  const steps = (await Promise.all(flags.files.map(readSeed))).flat();
  const target = await openTarget(flags, context);
  for (const { party, place } of steps) requireParty(target, party, place);
  const commands = steps.map((step) => ({ step, argv: argvOf(step, flags) }));
  for (const { step, argv } of commands) await withPlace(step, context, () => commandOf(step, argv, context).check());
  if (flags['dry-run']) {
    await showSteps(steps, output);
    return;
  }
  // A conflict found later would leave the seed half applied.
  for (const { step, argv } of commands)
    await withPlace(step, context, () => requireNoConflict(step, argv, partyOf(step, target)));
  let applied = 0;
  for (const { step, argv } of commands) {
    const isNew = await withPlace(step, context, () => apply(step, argv, target, context));
    if (isNew) applied++;
    if (!output.isJson && !output.isQuiet) {
      const mark = isNew ? output.out.paint('green', '✓') : '·';
      await output.line(`${mark} ${safe(stepText(step))}${isNew ? '' : ' · already applied'}`);
    }
  }
  const skipped = steps.length - applied;
  if (output.isJson) await output.json(textOf(result({ applied, skipped })));
  else if (!output.isQuiet) await output.line(`${applied} applied, ${skipped} skipped`);
}

function requireParty({ parties, stack, party }: Target, name: string, place: string): void {
  try {
    chooseParty(parties, name, stack ?? party.url);
  } catch (error) {
    throw error instanceof CliError ? new CliError(error.code, `${place}: ${error.message}`) : error;
  }
}

/** The arguments of a step with its stack, its key, and a wait for all parties, so that later steps see its result. */
function argvOf({ argv, key, load, given }: Step, { stack, ns, url, ca, 'auth-file': authFile }: SeedFlags): string[] {
  const hasKey = load.flags['idempotent'] !== undefined;
  const isBulk = given['count'] !== undefined;
  const waits = given['wait'] === undefined && given['no-wait'] === undefined;
  const target = { stack, ns, url, ca, 'auth-file': authFile };
  return [
    ...Object.entries(target).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}=${value}`])),
    ...(hasKey ? [`--idempotent=${key}${isBulk ? '-{{n}}' : ''}`] : []),
    ...(waits ? ['--wait=all'] : []),
    ...argv,
  ];
}

function commandOf({ load: Command }: Step, argv: readonly string[], { config }: SeedContext): BaseCommand {
  return new Command([...argv], config);
}

/** Applies a step. Resolves with false if it was already applied. */
async function apply(step: Step, argv: readonly string[], target: Target, context: SeedContext): Promise<boolean> {
  const party = partyOf(step, target);
  if (party !== undefined && (await isPresent(step, party, argv))) {
    await untilUsable(step, party);
    return false;
  }
  const answers: string[] = [];
  await commandOf(step, argv, context).runWithin(captured(context.output, answers));
  return !answers.every(isDuplicate) || answers.length === 0;
}

/** @throws CliError CONFLICT if a party has a different datatype or pool of the name that a step defines */
async function requireNoConflict(step: Step, argv: readonly string[], party: PartyNode | undefined): Promise<void> {
  if (party !== undefined) await isPresent(step, party, argv);
}

function partyOf({ party }: Step, { parties }: Target): PartyNode | undefined {
  return parties.find(({ name }) => name === party);
}

function isDuplicate(answer: string): boolean {
  const value = valueOf(compact(answer));
  const own: unknown = value instanceof Object ? Reflect.get(value, 'stack') : undefined;
  return own instanceof Object && Reflect.get(own, 'duplicate') === true;
}

/** Adds the position and the command of a step to a failure. */
async function withPlace<Value>(step: Step, { program }: CommandContext, part: () => Promise<Value>): Promise<Value> {
  try {
    return await part();
  } catch (error) {
    const { message, hint, exitCode, details } = failureOf(error, program);
    const where = `${step.place} (${step.command})`;
    throw new CliError(exitNameOf(exitCode), `${where}: ${message}`, { hint, exitCode, details, cause: error });
  }
}

async function showSteps(steps: readonly Step[], output: Output): Promise<void> {
  if (output.isJson) {
    const shown = steps.map(({ party, command, given, key }) => ({ party, [command]: given, key }));
    await output.json(textOf(result({ steps: shown })));
  } else if (!output.isQuiet) await output.out.write(steps.map((step) => `${safe(stepText(step))}\n`).join(''));
}

/** The step as a command line. */
function stepText({ command, argv }: Step): string {
  return `${command} ${argv
    .filter((word) => word !== '--')
    .map(quote)
    .join(' ')}`;
}
