import { quote } from '../client/curl.js';
import { commandNames } from './help/command-groups.js';
import { typedFlag } from './errors/named-stack.js';

/** The flags that choose a node, each with its letter. */
const targets: readonly (readonly [flag: string, letter?: string])[] = [
  ['party', 'p'],
  ['ns'],
  ['url'],
  ['auth-file'],
  ['ca'],
];

/**
 * Adds the typed flags that select a node to a suggested command, because other parties may not know the record.
 * Undefined if `--url` was typed and the command has no such flag.
 *
 * @param flagsOf the names of the flags of a command
 */
export function nextStep(
  command: string,
  argv: readonly string[],
  flagsOf: (name: string) => readonly string[],
): string | undefined {
  const known = flagsOf(commandNames.find((name) => `${command} `.startsWith(`${name} `)) ?? '');
  const isAtUrl = typedFlag(argv, 'url') !== undefined;
  if (isAtUrl && !known.includes('url')) return undefined;
  const step = isAtUrl ? command.replace(' --all-parties', '') : command;
  const words = targets.flatMap(([flag, letter]) => {
    const value = typedFlag(argv, flag, letter);
    const isRelevant = known.includes(flag) && !(flag === 'party' && step.includes('--all-parties'));
    return value === undefined || !isRelevant ? [] : [letter === undefined ? `--${flag}` : `-${letter}`, quote(value)];
  });
  return [step, ...words].join(' ');
}
