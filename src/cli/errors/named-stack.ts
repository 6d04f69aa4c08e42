/** Commands of three or two words that begin like a shorter one; no flag may stand between their words. */
const longCommands = ['chain accounts create', 'transfers get'];
const topics = [
  'bench',
  'chain',
  'config',
  'contract',
  'data',
  'datatype',
  'events',
  'export',
  'fault',
  'groups',
  'messages',
  'node',
  'party',
  'pool',
  'snapshot',
  'subs',
];
/** Commands for no stack, or not for one that exists. */
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
const anyCommand = [...longCommands, `(?:${topics.join('|')}|image|template) [a-z]+`, '[a-z]+'].join('|');

/** The value of `-s` or `--stack` in the typed words; undefined if there is none. */
export function typedStack(argv: readonly string[]): string | undefined {
  const end = argv.indexOf('--');
  const words = end < 0 ? argv : argv.slice(0, end);
  for (const [index, word] of words.entries()) {
    const [, joined] = /^(?:--stack=|-s)(.+)$/s.exec(word) ?? [];
    if (joined !== undefined) return joined;
    if (word === '-s' || word === '--stack') return words[index + 1];
  }
  return undefined;
}

/**
 * Repeats the stack that was named with `-s` in the commands of a hint, which would otherwise act on another one. A
 * command that names a stack stays as it is.
 */
export function nameStack(text: string, program: string, stack: string | undefined): string {
  if (stack === undefined) return text;
  const commands = new RegExp(`(?<![\\w/-])${program} (${anyCommand})(?![\\w-])`, 'g');
  return text.replaceAll(commands, (found: string, command: string, offset: number) => {
    const [rest = ''] = text.slice(offset + found.length).split(/[.;,)] |[.)]$| · /);
    const isNamed = ` ${rest} `.includes(` ${stack} `) || / (?:-s|--stack|--url|--help)\b/.test(` ${rest}`);
    return isNamed || stacklessCommands.includes(command) ? found : `${found} -s ${stack}`;
  });
}
