import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { quote } from '../../client/curl.js';
import { CliError } from '../errors/exit.js';
import type { Environment } from '../terminal/output.js';

/** The arguments of a command that runs another command. */
export interface SplitLine {
  /** The arguments before `--`. */
  readonly own: readonly string[];
  /** The arguments after `--`. */
  readonly command: readonly string[];
}

/** The part of oclif's flags that tells whether a value follows. */
export type TypedFlags = Readonly<Record<string, { readonly type: string; readonly char?: string | undefined }>>;

/**
 * Splits the arguments at `--`.
 *
 * @param typed the typed command, such as `stack run`
 * @param flags those of this command
 * @throws CliError USAGE for an argument before `--`, with the intended command line
 */
export function splitWords(argv: readonly string[], typed: string, flags: TypedFlags): SplitLine {
  const end = argv.indexOf('--');
  const own = end < 0 ? argv : argv.slice(0, end);
  const command = end < 0 ? [] : argv.slice(end + 1);
  const start = firstArgument(own, flags);
  if (start < 0) return { own, command };
  const meant = [...own.slice(0, start), '--', ...own.slice(start), ...command];
  throw new CliError('USAGE', `The command must follow --, but "${own[start] ?? ''}" comes before it.`, {
    hint: `Write: ${typed} ${meant.map(quote).join(' ')}`,
  });
}

/** Checks that there is a command after `--`. @throws CliError USAGE */
export function requireCommand({ own, command }: SplitLine, typed: string): void {
  if (command.length > 0) return;
  const line = [...own, '--', 'npm', 'test'].map(quote).join(' ');
  throw new CliError('USAGE', `${typed} needs a command after --.`, { hint: `For example: ${typed} ${line}` });
}

/** The index of the first word that is neither a flag nor the value of one; -1 if there is none. */
function firstArgument(words: readonly string[], flags: TypedFlags): number {
  const valued = Object.entries(flags).filter(([, { type }]) => type === 'option');
  const names = new Set(
    valued.flatMap(([name, { char }]) => [`--${name}`, ...(char === undefined ? [] : [`-${char}`])]),
  );
  return words.findIndex((word, index) => !word.startsWith('-') && !names.has(words[index - 1] ?? ''));
}

/** Checks that a command exists and is executable. @throws CliError UNKNOWN_COMMAND */
export async function requireProgram(program: string, environment: Environment): Promise<void> {
  const places = program.includes('/')
    ? [program]
    : (environment['PATH'] ?? '')
        .split(delimiter)
        .map((directory) => join(directory === '' ? '.' : directory, program));
  for (const place of places) if (await isProgram(place)) return;
  throw new CliError('UNKNOWN_COMMAND', `No command "${program}" found.`, {
    hint: program.includes('/')
      ? 'The path must be that of an executable file.'
      : 'It must be in a directory of $PATH.',
  });
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

/** Variables that select a stack or a node, which are replaced by those of the selected stack. */
const stackVariables = new RegExp(
  '^STACK_(NAME|NS|PARTIES|(?:[A-Z0-9_]+_)?(?:URL|AUTH_FILE|CA_FILE)|[A-Z0-9_]+_(?:WS|DID|ORG|ADDRESS|ID|CONTRACT))$',
);

/** The environment of a command that uses a stack: the current one, with the variables of the stack. */
export function jobEnvironment(environment: Environment, stack: Readonly<Record<string, string>>): Environment {
  const own = Object.entries(environment).filter(([name]) => !stackVariables.test(name));
  const { STACK_PARTY: party, ...rest } = Object.fromEntries(own);
  const isKnown = party !== undefined && (stack['STACK_PARTIES'] ?? '').split(',').includes(party);
  return { ...rest, ...(isKnown && { STACK_PARTY: party }), ...stack };
}
