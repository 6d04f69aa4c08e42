import type { runFlags } from './flags.js';
import type { FlagsOf } from '../flag-types.js';
import { partyNames } from '../../stack/create.js';
import { createEphemeral, type Ephemeral } from '../../stack/cleaning/ephemeral.js';
import { placeFrom } from '../../stack/layout.js';
import { durationMs } from '../duration.js';
import { dumpStack } from '../dump/dump.js';
import { CliError, exitNameOf } from '../errors/exit.js';
import { type Failure, failureOf, printFailure } from '../errors/failure.js';
import { secondsText, showProgress } from '../terminal/progress.js';
import { readSetting } from '../config/setting.js';
import { type EndingSignal, nextSignal, signalCodes, type Signals, takeSignals } from '../signals.js';
import { afterStart } from '../stack/starting/after-start.js';
import type { CommandContext } from '../requests/target.js';
import { safe } from '../terminal/text.js';
import { jobEnvironment, requireProgram } from './command.js';
import { commandFailed } from './exec.js';
import { runCommand } from './job.js';

export type RunFlags = FlagsOf<typeof runFlags> & {
  readonly command: readonly string[];
};

type RunEnding =
  | { readonly kind: 'ended'; readonly exitCode: number }
  | { readonly kind: 'interrupted'; readonly signal: EndingSignal }
  /** The network did not start, or the command could not be run. */
  | { readonly kind: 'failed'; readonly error: unknown; readonly isNetwork: boolean };

const cleanUpMs = 10_000;

/** Failures whose hints are only for a permanent stack. */
const stackFailures: readonly string[] = ['START_FAILED', 'START_TIMEOUT', 'PORT_IN_USE'];

/**
 * `stack run`: runs a command with a temporary network, which is then deleted, except after a failure with
 * `--keep-on-failure`.
 *
 * @throws CliError with the exit code of the command, or with that of `start` if the network failed; UNKNOWN_COMMAND;
 * USAGE
 */
export async function runWithNetwork(flags: RunFlags, context: CommandContext): Promise<void> {
  const { environment, output } = context;
  const timeoutMs = durationMs(flags.timeout, '--timeout');
  await requireProgram(flags.command[0] ?? '', environment);
  const signals = takeSignals();
  const network = await createEphemeral(placeFrom(environment), {
    template: flags.template,
    ...(flags.parties !== undefined && { parties: partyNames(flags.parties) }),
    settings: (flags.set ?? []).map((text) => readSetting(text, '--set')),
    workingDirectory: process.cwd(),
  });
  const outcome = await outcomeOf(network, { ...flags, timeoutMs }, signals, context);
  const isFailure = outcome.kind === 'failed' || (outcome.kind === 'ended' && outcome.exitCode !== 0);
  if (isFailure && flags.dump !== undefined) await saveDump(network, flags.dump, context);
  const isKept = isFailure && flags['keep-on-failure'] && signals.first() === undefined;
  if (isKept) await keep(network, context);
  else await cleanUp(network, signals, context);
  if (outcome.kind === 'interrupted') {
    throw new CliError('INTERRUPTED', 'Interrupted.', { isPrinted: true, exitCode: signalCodes[outcome.signal] });
  }
  if (outcome.kind === 'ended') {
    if (outcome.exitCode !== 0) throw commandFailed(flags.command, outcome.exitCode);
    return;
  }
  if (!outcome.isNetwork) throw outcome.error;
  const isExplained = isKept || flags.dump !== undefined;
  const shown = failureOf(outcome.error, context.program);
  await printFailure(output, { ...shown, hint: hintOfRun(shown, isExplained) }, outcome.error);
  await output.err.write(`${context.program} run: the network did not start\n`);
  throw new CliError(exitNameOf(shown.exitCode), shown.message, { isPrinted: true, exitCode: shown.exitCode });
}

/** The hint after a failed start of the network. `isExplained`: the network or its logs are kept. */
export function hintOfRun({ code, hint }: Pick<Failure, 'code' | 'hint'>, isExplained: boolean): string | undefined {
  const ofLogs = isExplained ? undefined : 'Add --dump DIR to keep its logs, or --keep-on-failure to keep the network.';
  return stackFailures.includes(code) ? ofLogs : (hint ?? ofLogs);
}

type RunOptions = RunFlags & { readonly timeoutMs: number };

async function outcomeOf(
  network: Ephemeral,
  flags: RunOptions,
  signals: Signals,
  context: CommandContext,
): Promise<RunEnding> {
  const interruption = nextSignal(signals);
  const starting = startNetwork(network, flags, context).then(
    (env) => ({ kind: 'started', env }) as const,
    (error: unknown) => ({ kind: 'failed', error, isNetwork: true }) as const,
  );
  const interrupted = interruption.came.then((signal) => ({ kind: 'interrupted', signal }) as const);
  const early = signals.first();
  const begun = early === undefined ? await Promise.race([starting, interrupted]) : await interruptedBy(early);
  interruption.end();
  if (begun.kind !== 'started') return begun;
  try {
    const exitCode = await runCommand({
      command: flags.command,
      environment: jobEnvironment(context.environment, begun.env),
      signals,
      beforeStart: (pid) => network.setJob(pid),
    });
    return { kind: 'ended', exitCode };
  } catch (error) {
    return { kind: 'failed', error, isNetwork: false };
  }
}

function interruptedBy(signal: EndingSignal): Promise<RunEnding & { readonly kind: 'interrupted' }> {
  return Promise.resolve({ kind: 'interrupted', signal });
}

/** Starts the network; resolves with its variables. */
async function startNetwork(
  network: Ephemeral,
  { progress: kind, timeoutMs, smoke }: RunOptions,
  context: CommandContext,
): Promise<Readonly<Record<string, string>>> {
  const { output } = context;
  const progress = showProgress(output, kind);
  try {
    const options = { timeoutMs, onProgress: progress.listener, ...(smoke !== undefined && { smoke }) };
    const { env, name, durationMs: spentMs } = await network.start(options);
    await progress.end();
    if (kind !== 'none' && kind !== 'json' && !output.isJson) {
      await output.note(`${name} is ready after ${secondsText(spentMs)}`);
    }
    await afterStart({ stack: network.stack, env, directory: network.directory, staysUp: false }, context);
    return env;
  } finally {
    await progress.end();
  }
}

/** Saves a dump after a failure. An error is only noted, so that the exit code of the command remains. */
async function saveDump({ stack }: Ephemeral, directory: string, context: CommandContext): Promise<void> {
  const { output, program } = context;
  try {
    const { path } = await dumpStack(stack, { directory, events: 1_000, isTar: false });
    await output.note(`Logs and state of the network: ${safe(path)}`);
  } catch (error) {
    await output.note(`The dump could not be written: ${safe(failureOf(error, program).message)}`);
  }
}

async function keep(network: Ephemeral, { output, program }: CommandContext): Promise<void> {
  await network.keep();
  const { name } = network.stack;
  await output.note(
    `The network is kept. Logs: ${program} logs -s ${name} · Delete it: ${program} remove ${name} --yes`,
  );
}

/** Stops and deletes the network; after 10 s, or at a signal, its processes are killed. */
async function cleanUp(network: Ephemeral, signals: Signals, { output }: CommandContext): Promise<void> {
  const nextOne = nextSignal(signals);
  const removal = network.remove(cleanUpMs);
  const leftovers = await Promise.race([removal, nextOne.came.then(() => network.remove(0))]);
  nextOne.end();
  if (leftovers.length > 0) await output.note(`Could not be removed: ${safe(leftovers.join(', '))}`);
}
