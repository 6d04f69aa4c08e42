import type { Config } from '@oclif/core/interfaces';
import { quote } from '../client/curl.js';
import { everyParty } from './party/every-party.js';
import { commandNames } from './help/command-groups.js';
import { nameStack, replaceCommands, selectedStack, typedFlag } from './errors/named-stack.js';

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
  const usable = step.includes('--all-parties') ? known.filter((flag) => flag !== 'party') : known;
  return [step, ...typedTargets(argv, usable)].join(' ');
}

/** The typed flags that choose a node, as far as a command has them. */
function typedTargets(argv: readonly string[], known: readonly string[]): readonly string[] {
  return targets.flatMap(([flag, letter]) => {
    const value = typedFlag(argv, flag, letter);
    const isOfOneNode = !(flag === 'party' && value === everyParty);
    if (value === undefined || !known.includes(flag) || !isOfOneNode) return [];
    return [letter === undefined ? `--${flag}` : `-${letter}`, quote(value)];
  });
}

/** Repeats the selected stack, and the typed flags that select the node, in the commands of a hint. */
export function repeatFlags(
  hint: string,
  program: string,
  argv: readonly string[],
  config: Pick<Config, 'findCommand'> | undefined,
  stack: string | undefined,
): string {
  const flagsOf = (name: string) => (config === undefined ? [] : flagsOfCommand(config, name));
  return nameStack(nameNode(hint, program, argv, flagsOf), program, stack);
}

/** The stack that the typed words of a command name, by a flag or as its argument. `id` may have colons. */
export function namedStack(
  id: string,
  words: readonly string[],
  config: Pick<Config, 'findCommand'> | undefined,
): string | undefined {
  const flags = Object.entries(config?.findCommand(id)?.flags ?? {});
  const takesValue = (word: string) =>
    flags.some(([name, flag]) => flag.type === 'option' && (word === `--${name}` || word === `-${flag.char ?? ''}`));
  return selectedStack(id.replaceAll(':', ' '), words, takesValue);
}

/** The names of the flags of a command, which is named as it is typed. */
export function flagsOfCommand(config: Pick<Config, 'findCommand'>, name: string): readonly string[] {
  return Object.keys(config.findCommand(name.replaceAll(' ', ':'))?.flags ?? {});
}

/**
 * Repeats the typed flags that choose a node in the commands of a hint, which would otherwise ask another node. A flag
 * that a command has already is not repeated.
 *
 * @param flagsOf the names of the flags of a command
 */
export function nameNode(
  text: string,
  program: string,
  argv: readonly string[],
  flagsOf: (name: string) => readonly string[],
): string {
  return replaceCommands(text, program, (found, command, rest) => {
    const known = flagsOf(command);
    // Commands without --ns have another --party: that of `stop` selects what is stopped.
    if (!known.includes('ns') || / --help\b/.test(rest)) return found;
    const missing = known.filter((flag) => !hasFlag(rest, flag));
    return [found, ...typedTargets(argv, missing)].join(' ');
  });
}

function hasFlag(words: string, flag: string): boolean {
  if (flag === 'party' && / (?:-p|--all-parties|--url)\b/.test(words)) return true;
  return new RegExp(` --${flag}(?![\\w-])`).test(words);
}
