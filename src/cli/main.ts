import { basename } from 'node:path';
import { type Command, Config } from '@oclif/core';
import { getHelpFlagAdditions, loadHelpClass, normalizeArgv } from '@oclif/core/help';
import { nearestHint } from '../wire/query.js';
import { processEnvironment } from './base.js';
import { CliError, exitCodes } from './exit.js';
import { failureOf, printFailure } from './failure.js';
import { createOutput, modesFrom, type Output } from './output.js';

/**
 * The command line, from the words typed to the exit code. `root` is the installed package.
 *
 * Whatever was written is with its reader before the process ends; a reader that has left ends it with 0 (cli.md, 3.10).
 */
export async function main(argv: readonly string[], program: string, root: string): Promise<never> {
  process.stdout.on('error', leaveQuietly);
  process.stderr.on('error', leaveQuietly);
  process.once('SIGINT', () => process.exit(exitCodes.INTERRUPTED));
  process.once('SIGTERM', () => process.exit(exitCodes.TERMINATED));
  const output = createOutput({
    stdout: process.stdout,
    stderr: process.stderr,
    environment: processEnvironment(),
    modes: modesFrom(argv),
  });
  let exitCode: number = exitCodes.OK;
  try {
    await runCommand(argv, { program, root, output });
  } catch (error) {
    const shown = failureOf(error, program);
    exitCode = shown.exitCode;
    if (!(error instanceof CliError && error.isSaid)) await printFailure(output, shown, error);
  }
  await Promise.all([output.out.write(''), output.err.write('')]);
  process.exit(exitCode);
}

/** The name that was typed, for hints: a symlink's own name, or `stack`. */
export function programName(path: string | undefined): string {
  const name = basename(path ?? '');
  return name === 'parley' ? name : 'stack';
}

interface Invocation {
  readonly program: string;
  readonly root: string;
  readonly output: Output;
}

async function runCommand(argv: readonly string[], { program, root, output }: Invocation): Promise<void> {
  const config = await loadConfig(root, program);
  const [id = '', ...rest] = normalizeArgv(config, [...argv]);
  if (argv[0] === '--version') {
    await config.runCommand('version', argv.slice(1).map(String));
    return;
  }
  const command = config.findCommand(id);
  if (argv.length === 0 || asksForHelp(argv, config) || (command === undefined && config.findTopic(id) !== undefined)) {
    await showHelp(config, id, output);
    return;
  }
  if (command === undefined) throw unknownCommand(argv, config, program);
  await config.runCommand(id, rest, command);
}

/** oclif's configuration of this package, under the name that was typed. */
export async function loadConfig(root: string, program: string): Promise<Config> {
  const config = await Config.load({ root });
  config.bin = program;
  return config;
}

/** Prints the help of a command or topic, or of everything for an empty id. @throws CliError UNKNOWN_COMMAND */
export async function showHelp(config: Config, id: string, output: Output): Promise<void> {
  const isKnown = id === '' || id.startsWith('-') || config.findCommand(id) !== undefined;
  if (!isKnown && config.findTopic(id) === undefined) throw unknownCommand([id], config, config.bin);
  const Help = await loadHelpClass(config);
  const hasColor = output.out.paint('bold', '') !== '';
  const help = new Help(config, { ...config.pjson.oclif.helpOptions, stripAnsi: !hasColor, maxWidth: 100 });
  await help.showHelp(id.startsWith('-') ? [] : [id]);
}

function asksForHelp(argv: readonly string[], config: Config): boolean {
  const end = argv.indexOf('--');
  const words = end < 0 ? argv : argv.slice(0, end);
  return getHelpFlagAdditions(config).some((flag) => words.includes(flag));
}

function unknownCommand(argv: readonly string[], config: Config, program: string): CliError {
  const known = config.commands.filter((command) => command.hidden !== true).flatMap(namesOf);
  const words = argv.filter((word) => !word.startsWith('-'));
  const typed = words.slice(0, 2).join(' ');
  const shown = known.some((name) => name.startsWith(`${words[0] ?? ''} `)) ? typed : (words[0] ?? '');
  const hint = nearestHint(shown, known);
  return new CliError('UNKNOWN_COMMAND', `${program} has no command "${shown}".`, {
    hint: hint.startsWith(' — ')
      ? `Did you mean: ${program} ${/"(.*)"/.exec(hint)?.[1] ?? ''}`
      : `See ${program} help.`,
  });
}

function namesOf(command: Command.Loadable): string[] {
  return [command.id, ...command.aliases].map((id) => id.replaceAll(':', ' '));
}

function leaveQuietly(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit(exitCodes.OK);
  throw error;
}
