import { stripVTControlCharacters } from 'node:util';
import { quote } from '../../client/curl.js';
import { nearestWord } from '../../wire/lists/query.js';
import { CliError } from './exit.js';

/** The command whose arguments could not be parsed. */
export interface TypedCommand {
  readonly program: string;
  /** With spaces: `pool create`. */
  readonly id: string;
  /** The words after it. */
  readonly words: readonly string[];
  readonly arguments: readonly string[];
  /** The flags by name, each with what it takes: its options, or its description. */
  readonly flags: Readonly<Record<string, string>>;
}

/** Converts an error of oclif's parser to a CliError USAGE; returns other errors unchanged. */
export function toUsageError(error: Error, command: TypedCommand): Error {
  const meant = hintForList(command);
  if (meant !== undefined && error instanceof CliError && error.code === 'USAGE') {
    return new CliError('USAGE', error.message, { hint: meant, cause: error });
  }
  const isOfParser =
    'parse' in error || error.constructor.name === 'CLIError' || error.message.startsWith('Parsing --');
  if (!isOfParser) return error;
  const { message, hint = `See ${command.program} ${command.id} --help.` } = problemOf(error, command);
  return new CliError('USAGE', message, { hint: meant ?? hint, cause: error });
}

interface Problem {
  readonly message: string;
  readonly hint?: string | undefined;
}

function problemOf(error: Error, command: TypedCommand): Problem {
  if (error.constructor.name === 'NonExistentFlagsError') {
    const flags = listAt(error, 'flags').map(String);
    const near = flags.map((flag) => nearestFlag(flag, command)).find((text) => text !== undefined);
    return { message: `There is no flag ${flags.join(', ')}${near ?? '.'}` };
  }
  if (error.constructor.name === 'RequiredArgsError') {
    const missing = listAt(error, 'args').map(
      (argument) => `${textAt(argument, 'name')} (${textAt(argument, 'description')})`,
    );
    return { message: `Missing: ${missing.join(', ')}.` };
  }
  if (error.constructor.name === 'UnexpectedArgsError') {
    const words = listAt(error, 'args').map(String);
    const hint = command.id === 'init' ? hintForMembers(words, command) : hintForMore(words, command);
    return { message: `Unexpected: ${words.join(' ')}`, hint };
  }
  const [text = ''] = stripVTControlCharacters(error.message).split(/\n\s*See more help/);
  const plain = text.replaceAll(/\s*\n\s*/g, ' ').trim();
  const [, flag = '', needed = ''] =
    /All of the following must be provided when using (--\S+): (.*)$/.exec(plain) ?? [];
  if (flag !== '') return { message: `${flag} needs ${needed}.`, hint: `Add ${needed}, or leave out ${flag}.` };
  const [, empty] = /^Flag --(\S+) expects a value$/.exec(plain) ?? [];
  if (empty !== undefined) {
    const message = `--${empty} needs a value (${command.flags[empty] ?? ''}).`;
    return { message, hint: hintForDash(empty, command) };
  }
  const [, missing] = /Missing required flag (\S+)$/.exec(plain) ?? [];
  return {
    message: missing === undefined ? shorter(plain) : `Missing: --${missing} (${command.flags[missing] ?? ''}).`,
  };
}

/** The hint for a value that the parser took for a flag because it begins with a dash. */
function hintForDash(flag: string, { program, id, words }: TypedCommand): string | undefined {
  const value = words.find((word, i) => /^-[^-]/.test(word) && words[i - 1] === `--${flag}`);
  if (value === undefined) return undefined;
  return `For a value that begins with -: ${program} ${id} ${quote(`--${flag}=${value}`)}`;
}

/** Names of the flag for a number of entries, which depends on the command. */
const numberFlags: readonly string[] = ['limit', 'lines', 'count', 'n'];

/** The flag that was probably meant; swapped parts count, as in `--base-port` for `--port-base`. */
function nearestFlag(typed: string, { flags }: TypedCommand): string | undefined {
  const ordered = (name: string) => name.split('-').toSorted().join('-');
  const word = typed.replace(/^-+/, '');
  const names = Object.keys(flags);
  const alike = numberFlags.includes(word) ? numberFlags : [];
  const meant =
    names.find((name) => ordered(name) === ordered(word) || alike.includes(name)) ?? nearestWord(word, names);
  return meant === undefined ? undefined : ` — did you mean "--${meant}"?`;
}

/** The hint for `mint list`, `transfer get` and the like, which are words of `transfers`. */
function hintForList({ program, arguments: names, words: [first = ''] }: TypedCommand): string | undefined {
  if (!names.includes('AMOUNT') || !['list', 'ls', 'get'].includes(first)) return undefined;
  return `Did you mean: ${program} ${first === 'get' ? 'transfers get ID' : 'transfers'}`;
}

/** The hint for the words of FireFly's command line: `init dev 3`, `init ethereum dev 3`. */
function hintForMembers(more: readonly string[], { program, words }: TypedCommand): string | undefined {
  const [name = words.find((word) => !word.startsWith('-')), count] = [more.at(-2), more.at(-1) ?? ''];
  if (name === undefined || !/^\d+$/.test(count)) return undefined;
  const mode = more.length > 1 ? ' --firefly' : '';
  return `For ${count} parties: ${program} init ${name} -n ${count}${mode}`;
}

function hintForMore(words: readonly string[], { program, id, arguments: names, flags }: TypedCommand) {
  const [first = '', second] = words;
  const takesRecipients = 'to' in flags;
  if (names.includes('PAYLOAD')) {
    const plain = 'Text with spaces is one payload in quotes';
    const before = names.slice(0, names.indexOf('PAYLOAD'));
    return takesRecipients
      ? `Recipients follow --to. ${plain}: ${program} ${id} --to bob 'hello world'`
      : `${plain}: ${[program, id, ...before].join(' ')} 'hello world'`;
  }
  if (!names.includes('AMOUNT')) return undefined;
  if (/^\d+$/.test(first)) return `The amount comes first: ${program} ${id} ${first} --pool NAME`;
  if (!takesRecipients) return `Use a flag for the pool: --pool ${first}`;
  return second === undefined
    ? `Use flags for recipient and pool: --to ${first}, or --pool ${first}`
    : 'Use flags for recipient and pool: --to PARTY --pool NAME';
}

/** Shorter sentences for errors of the parser, by pattern. */
const sentences: readonly (readonly [RegExp, (...parts: readonly string[]) => string])[] = [
  [
    /^(--[\w-]+)\S* cannot also be provided when using (--\S+)$/,
    (one, other) => `${one} and ${other} cannot be used together.`,
  ],
  [
    /^Expected (--[\w-]+)=(.*) to be one of: (.*)$/,
    (flag, actual = '', known = '') => {
      const meant = nearestWord(actual, known.split(', '));
      const end = meant === undefined ? '.' : ` — did you mean "${meant}"?`;
      return `${flag} must be one of ${known}, not "${actual}"${end}`;
    },
  ],
  [/^Flag (--[\w-]+) expects one of these values: (.*)$/, (flag, known) => `${flag} needs a value: ${known}.`],
  [/^Flag (--[\w-]+) can only be specified once$/, (flag) => `${flag} can be given only once.`],
  [
    /^Parsing (--[\w-]+) is empty$/,
    (flag) => `${flag} is empty. Check that all variables in the command are set, or leave it out.`,
  ],
  [
    /^Parsing (--[\w-]+) Expected an integer(?: (greater|less) than or equal to (\d+))? but received: (.*)$/,
    (flag, side, limit, actual) => {
      const range = side === undefined ? '' : ` of at ${side === 'greater' ? 'least' : 'most'} ${limit}`;
      return `${flag} must be a whole number${range}, not "${actual}".`;
    },
  ],
];

function shorter(text: string): string {
  const plain = text.replace(/^The following errors? occurred: /, '');
  for (const [pattern, tell] of sentences) {
    const found = pattern.exec(plain);
    if (found !== null) return tell(...found.slice(1));
  }
  return plain;
}

function textAt(value: unknown, name: string): string {
  const found: unknown = value instanceof Object ? Reflect.get(value, name) : undefined;
  return typeof found === 'string' ? found : '';
}

function listAt(value: object, name: string): readonly unknown[] {
  const found: unknown = Reflect.get(value, name);
  return Array.isArray(found) ? found : [];
}
