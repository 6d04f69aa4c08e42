import type { Command } from '@oclif/core/command';

/** The part of oclif's configuration that completion reads. */
export interface KnownCommands {
  readonly commands: readonly Pick<
    Command.Loadable,
    'id' | 'aliases' | 'hiddenAliases' | 'hidden' | 'summary' | 'flags' | 'args' | 'strict'
  >[];
}

type KnownCommand = KnownCommands['commands'][number];

export interface Candidate {
  readonly value: string;
  readonly description?: string | undefined;
}

/** A flag or argument whose values must be queried. */
export interface Wanted {
  /** `flag` without its dashes, or the description of the argument. */
  readonly kind: 'flag' | 'argument';
  readonly name: string;
  readonly command: string;
  /** The typed prefix of the value. */
  readonly typed: string;
  /** The text before it in its word: `--party=`, or `alice,` in a list. */
  readonly head: string;
  /** The typed flags that select stack and node, by name. An argument that names the stack counts as `--stack`. */
  readonly given: ReadonlyMap<string, string>;
}

/** The completions of a command line: candidates, or values to query; no candidates where a file is expected. */
export type Completion = { readonly candidates: readonly Candidate[] } | { readonly wanted: Wanted };

/** Completes a command line. `words` are those after the program; the last one, possibly empty, is completed. */
export function completionOf(words: readonly string[], { commands }: KnownCommands): Completion {
  const typed = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  // The words after `--` belong to another program.
  if (before.includes('--')) return { candidates: [] };
  const visible = commands.filter(({ hidden }) => hidden !== true);
  const { command, rest } = commandIn(before, visible);
  if (command === undefined) return { candidates: startingWith(typed, nextWords(before, visible)) };
  const { given, typedArguments, pending } = readWords(rest, command);
  const wanted = { command: command.id.replaceAll(':', ' '), given: withStack(given, typedArguments, command) };
  if (pending !== undefined) return valueOf(command, pending, typed, '', wanted);
  const [, name, value] = /^--([\w-]+)=(.*)$/s.exec(typed) ?? [];
  if (name !== undefined && value !== undefined) return valueOf(command, name, value, `--${name}=`, wanted);
  if (typed.startsWith('-')) return { candidates: startingWith(typed, flagsOf(command, given)) };
  const args = Object.values(command.args);
  const position = typedArguments.length;
  const argument = args[position] ?? (command.strict === false ? args.at(-1) : undefined);
  // After a command that is also a topic, such as `transfers`, a subcommand may follow.
  const subcommands = position === 0 ? startingWith(typed, nextWords(before, visible)) : [];
  if (argument === undefined || subcommands.length > 0) return { candidates: subcommands };
  if (argument.options !== undefined) return { candidates: startingWith(typed, argument.options.map(plain)) };
  return { wanted: { ...wanted, kind: 'argument', name: argument.description ?? '', ...listOf(typed) } };
}

function plain(value: string): Candidate {
  return { value };
}

export function startingWith(typed: string, candidates: readonly Candidate[]): Candidate[] {
  return candidates.filter(({ value }) => value.startsWith(typed));
}

function namesOf({ id, aliases, hiddenAliases }: KnownCommand): string[][] {
  return [id, ...aliases, ...hiddenAliases].map((name) => name.split(':'));
}

/** The longest command that the words begin with, and the words after it. */
function commandIn(words: readonly string[], commands: readonly KnownCommand[]) {
  const found = commands.flatMap((command) => namesOf(command).map((name) => ({ command, name })));
  const fitting = found.filter(({ name }) => name.every((part, i) => words[i] === part));
  const best = fitting.toSorted((one, other) => other.name.length - one.name.length)[0];
  return { command: best?.command, rest: words.slice(best?.name.length ?? 0) };
}

/** The possible next words of commands and topics. */
function nextWords(before: readonly string[], commands: readonly KnownCommand[]): Candidate[] {
  const next = new Map<string, string | undefined>();
  for (const { id, summary } of commands) {
    const parts = id.split(':');
    const word = parts[before.length];
    if (word === undefined || !before.every((each, i) => parts[i] === each)) continue;
    const isWhole = parts.length === before.length + 1;
    next.set(word, isWhole ? summary : (next.get(word) ?? `${word} …`));
  }
  return [...next].map(([value, description]) => ({ value, description })).toSorted(byValue);
}

function byValue(one: Candidate, other: Candidate): number {
  return one.value < other.value ? -1 : 1;
}

/** An argument that names an existing stack, by its description. */
export const stackArgument = /^names? of (?:the )?stacks?(?!; default: dev)/;

function withStack(
  given: ReadonlyMap<string, string>,
  typedArguments: readonly string[],
  { args }: KnownCommand,
): ReadonlyMap<string, string> {
  const position = Object.values(args).findIndex(({ description }) => stackArgument.test(description ?? ''));
  const name = typedArguments[position];
  return name === undefined || given.has('stack') ? given : new Map([...given, ['stack', name]]);
}

interface ParsedLine {
  readonly given: ReadonlyMap<string, string>;
  readonly typedArguments: readonly string[];
  /** The flag whose value comes next. */
  readonly pending: string | undefined;
}

function readWords(words: readonly string[], { flags }: KnownCommand): ParsedLine {
  const given = new Map<string, string>();
  const typedArguments: string[] = [];
  let pending: string | undefined;
  for (const word of words) {
    const [, long, short, value] = /^(?:--([\w-]+)|-(\w))(?:=(.*))?$/s.exec(word) ?? [];
    const name = long ?? Object.entries(flags).find(([, flag]) => flag.char !== undefined && flag.char === short)?.[0];
    if (pending !== undefined) {
      given.set(pending, word);
      pending = undefined;
    } else if (name === undefined) typedArguments.push(word);
    else if (value === undefined && flags[name]?.type === 'option') pending = name;
    else given.set(name, value ?? '');
  }
  return { given, typedArguments, pending };
}

function flagsOf({ flags }: KnownCommand, given: ReadonlyMap<string, string>): Candidate[] {
  const all = Object.entries(flags).flatMap(([name, flag]) => {
    const isMultiple = flag.type === 'option' && flag.multiple === true;
    if (flag.hidden === true || (given.has(name) && !isMultiple)) return [];
    const { description } = flag;
    const negated = flag.type === 'boolean' && flag.allowNo === true ? [{ value: `--no-${name}`, description }] : [];
    return [{ value: `--${name}`, description }, ...negated];
  });
  return [...all, { value: '--help', description: 'show help' }].toSorted(byValue);
}

function valueOf(
  { flags }: KnownCommand,
  name: string,
  typed: string,
  head: string,
  wanted: Pick<Wanted, 'command' | 'given'>,
): Completion {
  const flag = flags[name];
  if (flag?.type !== 'option') return { candidates: [] };
  if (flag.options !== undefined) {
    const values = startingWith(typed, flag.options.map(plain));
    return { candidates: values.map(({ value }) => ({ value: `${head}${value}` })) };
  }
  const list = listOf(typed);
  return { wanted: { ...wanted, kind: 'flag', name, typed: list.typed, head: `${head}${list.head}` } };
}

/** Splits the last of several comma-separated values. */
function listOf(typed: string): Pick<Wanted, 'typed' | 'head'> {
  const end = typed.lastIndexOf(',') + 1;
  return { typed: typed.slice(end), head: typed.slice(0, end) };
}
