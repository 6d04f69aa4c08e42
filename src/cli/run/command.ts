import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { quote } from '../../client/curl.js';
import { CliError } from '../exit.js';
import type { Environment } from '../output.js';

/** The words of a command that runs another one. */
export interface SplitWords {
  /** Those before `--`, which are for us. */
  readonly own: readonly string[];
  /** Those behind it. */
  readonly command: readonly string[];
}

/** The part of oclif's flags that says whether a word follows them. */
export type TypedFlags = Readonly<Record<string, { readonly type: string; readonly char?: string | undefined }>>;

/**
 * Splits the words at `--`.
 *
 * @param typed the command that was typed, such as `stack run`
 * @param flags those of this command
 * @throws CliError USAGE for a word before `--` that belongs behind it, with the line that was meant
 */
export function splitWords(argv: readonly string[], typed: string, flags: TypedFlags): SplitWords {
  const end = argv.indexOf('--');
  const own = end < 0 ? argv : argv.slice(0, end);
  const command = end < 0 ? [] : argv.slice(end + 1);
  const start = firstArgument(own, flags);
  if (start < 0) return { own, command };
  const meant = [...own.slice(0, start), '--', ...own.slice(start), ...command];
  throw new CliError('USAGE', `The command must stand behind --, and "${own[start] ?? ''}" does not.`, {
    hint: `Write: ${typed} ${meant.map(quote).join(' ')}`,
  });
}

/** Checks that there is a command behind `--`. @throws CliError USAGE */
export function requireCommand({ own, command }: SplitWords, typed: string): void {
  if (command.length > 0) return;
  const line = [...own, '--', 'npm', 'test'].map(quote).join(' ');
  throw new CliError('USAGE', `${typed} needs a command behind --.`, { hint: `For example: ${typed} ${line}` });
}

/** The index of the first word that is neither a flag nor the value of one; -1 when all are. */
function firstArgument(words: readonly string[], flags: TypedFlags): number {
  const valued = Object.entries(flags).filter(([, { type }]) => type === 'option');
  const names = new Set(
    valued.flatMap(([name, { char }]) => [`--${name}`, ...(char === undefined ? [] : [`-${char}`])]),
  );
  return words.findIndex((word, index) => !word.startsWith('-') && !names.has(words[index - 1] ?? ''));
}

/** Checks that a command can be run, before anything is made ready for it. @throws CliError UNKNOWN_COMMAND */
export async function requireProgram(program: string, environment: Environment): Promise<void> {
  const places = program.includes('/')
    ? [program]
    : (environment['PATH'] ?? '')
        .split(delimiter)
        .map((directory) => join(directory === '' ? '.' : directory, program));
  for (const place of places) if (await isProgram(place)) return;
  throw new CliError('UNKNOWN_COMMAND', `There is no command "${program}".`, {
    hint: program.includes('/') ? 'The path must be that of an executable file.' : 'It is looked for in $PATH.',
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

/** Variables that point to a stack, other than the one that a command is to use. */
const pointers = /^STACK_(URL|AUTH_FILE|NAME|NS|PARTIES|[A-Z0-9_]+_(URL|WS|DID|ORG|ADDRESS|AUTH_FILE|ID|CONTRACT))$/;

/** The environment of a command that uses a stack: ours, with the stack's addresses in place of any other's. */
export function jobEnvironment(environment: Environment, stack: Readonly<Record<string, string>>): Environment {
  const own = Object.entries(environment).filter(([name]) => !pointers.test(name));
  const { STACK_PARTY: party, ...rest } = Object.fromEntries(own);
  const isKnown = party !== undefined && (stack['STACK_PARTIES'] ?? '').split(',').includes(party);
  return { ...rest, ...(isKnown && { STACK_PARTY: party }), ...stack };
}
