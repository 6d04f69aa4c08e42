import { commandNames } from '../help/command-groups.js';

/** Commands that need no existing stack. */
export const stacklessCommands: readonly string[] = [
  'autocomplete',
  'cheat',
  'doctor',
  'help',
  'image build',
  'image list',
  'image remove',
  'init',
  'list',
  'ls',
  'party join',
  'run',
  'template list',
  'template new',
  'template show',
  'template validate',
  'version',
];
/** Commands whose argument may be the name of a stack. */
export const namingCommands: readonly string[] = [
  'config path',
  'config show',
  'down',
  'env',
  'ps',
  'remove',
  'reset',
  'restart',
  'rm',
  'start',
  'status',
  'stop',
  'up',
  'upgrade',
  'wait',
];
const anyCommand = commandNames.join('|');
/** A stack name or the placeholder NAME, followed by a flag, a colon or the end. */
const nameFollows = /^ (?:NAME|[a-z][a-z0-9-]*)(?= -|:|$)/;

/** The value of `-s` or `--stack` in the typed words; undefined if there is none. */
export function typedStack(argv: readonly string[]): string | undefined {
  return typedFlag(argv, 'stack', 's');
}

/** The value of a flag in the typed words; undefined if there is none. */
export function typedFlag(argv: readonly string[], flag: string, letter?: string): string | undefined {
  const end = argv.indexOf('--');
  const words = end < 0 ? argv : argv.slice(0, end);
  const [long, short] = [`--${flag}`, `-${letter ?? ''}`];
  for (const [index, word] of words.entries()) {
    if (word.startsWith(`${long}=`)) return word.slice(long.length + 1);
    if (word === long || (letter !== undefined && word === short)) return words[index + 1];
    if (letter !== undefined && word.startsWith(short)) return word.slice(short.length);
  }
  return undefined;
}

/**
 * The stack that the words after a command select: with `-s`, or as the only argument of a command whose argument is
 * the name of a stack.
 *
 * @param takesValue whether a word is a flag of the command with its value in the next word
 */
export function selectedStack(
  command: string,
  words: readonly string[],
  takesValue: (word: string) => boolean,
): string | undefined {
  const given = typedStack(words);
  if (given !== undefined || !namingCommands.includes(command)) return given;
  const names = words.filter((word, index) => !word.startsWith('-') && !takesValue(words[index - 1] ?? ''));
  return names.length === 1 ? names[0] : undefined;
}

/** Replaces `stack` by the typed name of the program, where a text names a command. */
export function nameProgram(text: string, program: string): string {
  return text.replaceAll(commandsOf('stack'), (_, command: string) => `${program} ${command}`);
}

/**
 * Adds `-s` with the selected stack to the commands in a hint, because they might otherwise act on another stack.
 * Commands that name a stack already, or need none, stay unchanged.
 */
export function nameStack(text: string, program: string, stack: string | undefined): string {
  if (stack === undefined) return text;
  return replaceCommands(text, program, (found, command, rest) => {
    const isNamed =
      ` ${rest} `.includes(` ${stack} `) ||
      / (?:-s|--stack|--url|--help)\b/.test(` ${rest}`) ||
      (namingCommands.includes(command) && nameFollows.test(rest));
    return isNamed || stacklessCommands.includes(command) ? found : `${found} -s ${stack}`;
  });
}

/**
 * Replaces the commands in a text by the result of a function, which gets the found text, the command without the name
 * of the program, and the arguments that follow.
 */
export function replaceCommands(
  text: string,
  program: string,
  replaced: (found: string, command: string, rest: string) => string,
): string {
  return text.replaceAll(commandsOf(program), (found: string, command: string, offset: number) => {
    const [rest = ''] = text.slice(offset + found.length).split(/[.;,)] |[.)]$| · /);
    return replaced(found, command, rest);
  });
}

function commandsOf(program: string): RegExp {
  return new RegExp(`(?<![\\w/-])${program} (${anyCommand})(?![\\w-])`, 'g');
}
