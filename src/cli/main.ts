import { basename } from 'node:path';
import type { Command } from '@oclif/core/command';
import { Config } from '@oclif/core/config';
import { normalizeArgv } from '@oclif/core/help';
import { addToEnvironment, processEnvironment } from './base.js';
import { CliError, exitCodes } from './errors/exit.js';
import { type Failure, failureOf, printFailure } from './errors/failure.js';
import { sweepLeftovers } from './leftovers.js';
import { namedStack, repeatFlags } from './next-step.js';
import { createOutput, type Environment, modesFrom, type Output } from './terminal/output.js';
import { endOnInterrupt } from './signals.js';
import { calledCommand, requireFlagsBehind, showHelp, unknownCommand } from './help/show-help.js';
import { userEnvironment } from './user-environment.js';

export interface Program {
  /** The name under which it was called. */
  readonly program: string;
  /** The directory of the installed package. */
  readonly root: string;
  /** The modules of the commands by their ids, each loaded when it is called. */
  readonly commands: Readonly<Record<string, () => Promise<{ readonly default: Command.Class }>>>;
}

/**
 * Runs the command line, from the arguments to the exit code.
 *
 * All output is written before the process ends. Without a reader of stdout it ends with 0, or with the code of a
 * failure that cannot be printed (docs/operations.md §11.2).
 */
export async function main(argv: readonly string[], { program, root, commands }: Program): Promise<never> {
  let output = openOutput(argv);
  let exitCode: number = exitCodes.OK;
  // oclif's own listener throws where nothing could show the error.
  process.stdout.removeAllListeners('error');
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // Any other error is returned by the write itself and becomes a failure of the command.
    if (error.code === 'EPIPE') process.exit(exitCode);
  });
  // Without a reader of stderr the command continues, and its exit code remains.
  process.stderr.on('error', () => undefined);
  endOnInterrupt(
    () => output,
    () => process.exit(exitCodes.INTERRUPTED),
  );
  process.once('SIGTERM', () => process.exit(exitCodes.TERMINATED));
  let config: Config | undefined;
  try {
    addToEnvironment(await userEnvironment(processEnvironment(), argv));
    output = openOutput(argv);
    config = await loadConfig(root, program);
    await runCommand(argv, { config, commands, output });
    await output.out.write('');
  } catch (error) {
    const failure = failureOf(error, program);
    const shown = { ...failure, hint: failure.hint && hintFor(failure, { program, argv, config }) };
    exitCode = shown.exitCode;
    if (!(error instanceof CliError && error.isPrinted)) await showFailure(output, shown, error);
  }
  await Promise.allSettled([output.out.write(''), output.err.write('')]);
  process.exit(exitCode);
}

interface TypedCommand {
  readonly program: string;
  readonly argv: readonly string[];
  readonly config: Config | undefined;
  /** Default: that of this process. */
  readonly environment?: Environment;
}

/** Repeats the typed words that select the stack and the node in a hint. */
export function hintFor(
  { code, hint = '', details }: Pick<Failure, 'code' | 'hint' | 'details'>,
  { program, argv, config, environment = processEnvironment() }: TypedCommand,
): string {
  if (code !== 'STACK_NOT_FOUND') return repeatFlags(hint, program, argv, config, stackOf(argv, config));
  // This hint is about other stacks.
  const known = repeatFlags(hint, program, argv, config, undefined);
  const { name } = details;
  const isInherited = typeof name === 'string' && environment['STACK_NAME'] === name && !argv.includes(name);
  return isInherited ? `STACK_NAME is set to it; to use another stack: unset STACK_NAME. ${known}` : known;
}

function stackOf(argv: readonly string[], config: Config | undefined): string | undefined {
  const [id = '', ...words] = config === undefined ? argv : normalizeArgv(config, [...argv]);
  return namedStack(id, words, config);
}

function openOutput(argv: readonly string[]): Output {
  return createOutput({
    stdout: process.stdout,
    stderr: process.stderr,
    environment: processEnvironment(),
    modes: modesFrom(argv),
  });
}

/** Prints a failure; on stderr even with `--json` if stdout cannot be written to. */
async function showFailure(output: Output, shown: Failure, error: unknown): Promise<void> {
  try {
    await printFailure(output, shown, error);
  } catch {
    // If neither stream can be written to, only the exit code remains.
    await printFailure({ ...output, isJson: false }, shown, error).catch(() => undefined);
  }
}

/** The typed name of the program, for hints: that of a symbolic link, or `stack`. */
export function programName(path: string | undefined): string {
  return basename(path ?? '') === 'parley' ? 'parley' : 'stack';
}

/** Loads oclif's configuration of this package, under the typed name. */
export async function loadConfig(root: string, program: string): Promise<Config> {
  // oclif would look for plugins in STACK_HOME.
  const config = await Config.load({ root, userPlugins: false });
  config.bin = program;
  // oclif creates another configuration for each command, from the package.
  config.pjson.oclif.bin = program;
  return config;
}

/** A command that loads only its own module; loading all modules takes a twentieth of the time of a short command. */
function lazyCommand(command: Command.Loadable, config: Config, commands: Program['commands']): Command.Loadable {
  // In the configuration an alias is a separate command.
  const hasThisName = ({ id, aliases, hiddenAliases }: Command.Loadable) =>
    id in commands && [id, ...aliases, ...hiddenAliases].includes(command.id);
  const { id } = command.id in commands ? command : (config.commands.find(hasThisName) ?? command);
  return {
    ...command,
    async load() {
      const load = commands[id];
      if (load === undefined) throw new Error(`The program has no command ${id}.`);
      return Object.assign((await load()).default, { id });
    },
  };
}

/** Called by the completion scripts of shells. */
const completeWord = '__complete';

interface Running extends Pick<Program, 'commands'> {
  readonly config: Config;
  readonly output: Output;
}

async function runCommand(argv: readonly string[], { config, commands, output }: Running): Promise<void> {
  const [first = ''] = argv;
  if (first === completeWord) {
    const { complete } = await import('./complete/complete.js');
    // The shell would take an error for a completion.
    await output.out.write(await complete(argv.slice(1), config, processEnvironment()).catch(() => ''));
    return;
  }
  if (first === '--version') {
    const version = config.findCommand('version', { must: true });
    await config.runCommand('version', argv.slice(1), lazyCommand(version, config, commands));
    return;
  }
  const [id = '', ...rest] = normalizeArgv(config, [...argv]);
  const command = config.findCommand(id);
  if (command === undefined && (first === '' || first.startsWith('-'))) {
    if (!asksForHelp(argv)) requireFlagsBehind(argv, config);
    await showHelp(config, '', output);
  } else if (command === undefined && config.findTopic(id) === undefined) throw await unexpected(argv, config);
  else if (command === undefined || asksForHelp(rest)) await showHelp(config, id, output);
  else {
    const swept = sweepLeftovers(processEnvironment());
    try {
      await config.runCommand(id, rest, lazyCommand(command, config, commands));
    } finally {
      await swept;
    }
  }
}

/** The failure for words that are no command, or follow one that takes no argument. */
async function unexpected(argv: readonly string[], config: Config): Promise<Error> {
  const error = unknownCommand(argv, config);
  const id = calledCommand(argv, config);
  const command = id === undefined ? undefined : config.findCommand(id.replaceAll(' ', ':'));
  if (id === undefined || command === undefined) return error;
  const words = argv.slice(id.split(' ').length);
  const { withStackHint } = await import('./errors/stack-word.js');
  return withStackHint(error, { program: config.bin, id, words, flags: command.flags }, processEnvironment());
}

function asksForHelp(words: readonly string[]): boolean {
  const end = words.indexOf('--');
  return (end < 0 ? words : words.slice(0, end)).some((word) => word === '--help' || word === '-h');
}
