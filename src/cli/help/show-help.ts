import type { Command } from '@oclif/core/command';
import type { Config } from '@oclif/core/config';
import { quote } from '../../client/curl.js';
import { textOf } from '../../wire/json/json.js';
import { nearestHint, nearestWord } from '../../wire/lists/query.js';
import { BaseCommand } from '../base.js';
import { CliError } from '../errors/exit.js';
import { commandGroups } from './command-groups.js';
import { topicNames } from './help-topics.js';
import { CommandHelp } from './command-help.js';
import { type Output, result } from '../terminal/output.js';
import { linesOf } from '../terminal/text.js';

/**
 * Prints the help of a command or topic (its words joined by `:`), or an overview for an empty id or `help`. In JSON it
 * is the member `text`.
 *
 * @throws CliError UNKNOWN_COMMAND
 */
export async function showHelp(config: Config, id: string, output: Output): Promise<void> {
  const isRoot = id === '' || id === 'help';
  const paint: Paint = output.isJson ? (_, text) => text : output.out.paint;
  const text = isRoot ? rootHelp(config, paint) : await commandHelp(config, id, output.out.width, paint);
  if (output.isJson) {
    const topic = isRoot ? 'help' : id.replaceAll(':', ' ');
    await output.json(textOf(result({ topic, text })));
  } else await output.out.write(text);
}

type Paint = Output['out']['paint'];

async function commandHelp(config: Config, id: string, width: number, paint: Paint): Promise<string> {
  if (config.findCommand(id) === undefined && config.findTopic(id) === undefined) {
    const topic = nearestWord(id.replaceAll(':', '-'), topicNames);
    if (topic === undefined) throw unknownCommand(id.split(':'), config);
    throw new CliError('UNKNOWN_COMMAND', `No help for "${id.replaceAll(':', ' ')}".`, {
      hint: `Did you mean: ${config.bin} help ${topic}`,
    });
  }
  const help = new CommandHelp(config, {
    // The output escapes foreign escape sequences, so oclif's styles would be printed as text.
    stripAnsi: true,
    docopts: false,
    hideCommandSummaryInDescription: true,
    maxWidth: Math.min(Math.max(width, minWidth), maxWidth),
  });
  await help.showHelp([id]);
  return help.text.replaceAll(heading, (text) => paint('bold', text));
}

/** A heading of oclif's help, such as OUTPUT FLAGS. */
const heading = /^[A-Z][A-Z ]+$/gm;
const maxWidth = 100;
/** In less than about 30 columns oclif breaks its placeholders for the name of the program, and fails. */
const minWidth = 60;
/** The column of the summaries. All names but one are shorter, and the summaries fit a line of 80. */
const nameWidth = 18;

function rootHelp(config: Config, paint: Paint): string {
  const { bin } = config;
  const lines = commandGroups.flatMap(([title, ids]) => [
    '',
    paint('bold', title),
    ...ids.flatMap((id) => {
      const command = config.findCommand(id);
      return command === undefined
        ? []
        : [`  ${id.replaceAll(':', ' ').padEnd(nameWidth - 1)} ${command.summary ?? ''}`];
    }),
  ]);
  return [
    `${paint('bold', bin)}: a whole multi-party network on this machine, used from the shell.`,
    '',
    paint('bold', 'Begin with'),
    `  ${bin} init dev && ${bin} start dev`,
    `  ${bin} broadcast '{"hello":"world"}' --wait all`,
    `  ${bin} send 'only for you' --to bob`,
    ...lines,
    '',
    `Flags and examples of a command: ${bin} COMMAND --help`,
    `Topics: ${bin} help TOPIC`,
    ...linesOf(topicNames, maxLineLength).map((line) => `  ${line}`),
    '',
  ].join('\n');
}

/** The width of a standard terminal, without the indentation. */
const maxLineLength = 78;

/** The part of oclif's configuration that is used here. */
export interface KnownCommands {
  readonly bin: string;
  readonly commands: readonly Pick<Command.Loadable, 'id' | 'aliases' | 'hiddenAliases' | 'hidden'>[];
}

/**
 * Checks that no flag precedes the command.
 *
 * @throws CliError USAGE with the correct command line, or for an unknown flag without a command; UNKNOWN_COMMAND if no
 *   word is a command
 */
export function requireFlagsBehind(typed: readonly string[], config: KnownCommands): void {
  const { bin, commands } = config;
  const end = typed.indexOf('--');
  const words = end < 0 ? typed : typed.slice(0, end);
  for (const from of words.keys()) {
    const behind = words.slice(from);
    const id = commands
      .flatMap(namesOf)
      .map((each) => each.split(' '))
      .filter((parts) => parts.every((part, i) => behind[i] === part))
      .toSorted((a, b) => b.length - a.length)[0];
    if (id === undefined) continue;
    const right = [bin, ...id, ...typed.slice(0, from), ...typed.slice(from + id.length)];
    throw new CliError('USAGE', 'Flags go after the command.', { hint: `Write: ${right.map(quote).join(' ')}` });
  }
  if (words.some((word) => word !== '' && !word.startsWith('-'))) throw unknownCommand(words, config);
  const unknown = words.find((word) => word !== '' && !flagsAlone.includes(word) && !lettersAlone.includes(word));
  if (unknown === undefined) return;
  throw new CliError('USAGE', `There is no flag ${unknown}${nearestHint(unknown, flagsAlone)}`, {
    hint: `See ${bin} --help.`,
  });
}

const generalFlags = Object.entries(BaseCommand.baseFlags);
/** The flags that are accepted without a command. */
const flagsAlone: readonly string[] = [...generalFlags.map(([name]) => `--${name}`), '--help', '--version'];
const lettersAlone: readonly string[] = [
  ...generalFlags.flatMap(([, flag]) => ('char' in flag ? [`-${flag.char}`] : [])),
  '-h',
];

/** The longest name of a command with which the typed words begin, apart from flags. */
export function calledCommand(words: readonly string[], config: KnownCommands): string | undefined {
  const typed = words.filter((word) => !word.startsWith('-')).join(' ');
  return knownNames(config)
    .filter((name) => `${typed} `.startsWith(`${name} `))
    .toSorted(longestFirst)[0];
}

function knownNames({ commands }: KnownCommands): string[] {
  return commands.filter((command) => command.hidden !== true).flatMap(namesOf);
}

/** The failure for an unknown command, with the nearest known one, or for unexpected words after a command. */
export function unknownCommand(words: readonly string[], config: KnownCommands): CliError {
  const known = knownNames(config);
  const typed = words.filter((word) => !word.startsWith('-'));
  const command = calledCommand(words, config);
  if (command !== undefined) {
    const more = typed.slice(command.split(' ').length).join(' ');
    const line = `${config.bin} ${command}`;
    const hint = more === 'list' || more === 'ls' ? `Did you mean: ${line}` : `See ${line} --help.`;
    return new CliError('USAGE', `Unexpected: ${more}`, { hint });
  }
  const firsts = [...new Set(known.map((name) => name.split(' ')[0] ?? ''))];
  const [first = '', second] = typed;
  const topics = new Set(known.flatMap((name) => (name.includes(' ') ? [name.split(' ')[0] ?? ''] : [])));
  const isTopic = topics.has(first);
  const topic = nearestWord(first, [...topics]);
  const shown = isTopic && second !== undefined ? `${first} ${second}` : first;
  const wordPair = `${topic ?? first} ${second === 'ls' ? 'list' : (second ?? '')}`;
  const synonym = synonyms.get(wordPair) ?? synonyms.get(first);
  // The name of a stack was typed before the command.
  const behind = topic === undefined ? known.find((name) => name === second) : undefined;
  const near =
    behind ??
    nearestWord(wordPair.trim(), known) ??
    nearestWord(first, isTopic ? [] : firsts) ??
    known.find((name) => first.length >= minPrefixCharacters && name.startsWith(first));
  const wanted = synonym ?? near;
  return new CliError('UNKNOWN_COMMAND', `${config.bin} has no command "${shown}".`, {
    hint: wanted === undefined ? `See ${config.bin} help.` : `Did you mean: ${config.bin} ${wanted}`,
  });
}

/** Words of other tools, with the commands that do the same here. */
const synonyms = new Map(
  Object.entries({
    create: 'init',
    new: 'init',
    kill: 'stop',
    delete: 'remove',
    destroy: 'remove',
    clean: 'reset',
    info: 'status',
    tail: 'events tail',
    watch: 'events tail',
    subscribe: 'events tail',
    publish: 'broadcast',
    peers: 'party list',
    nodes: 'party list',
    parties: 'party list',
    identities: 'party list',
    accounts: 'chain accounts',
    ui: 'open',
    deploy: 'chain deploy',
    stacks: 'list',
    blocks: 'chain blocks',
    operations: 'api GET operations',
    transactions: 'api GET transactions',
    listeners: 'api GET contracts/listeners',
    tokens: 'pool list',
    token: 'pool list',
    subscription: 'subs list',
    subscriptions: 'subs list',
    save: 'snapshot save',
    restore: 'snapshot restore',
    prune: 'remove',
    'contract deploy': 'chain deploy',
    'contract list': 'api GET apis',
    'chain events': 'contract listen',
    'config get': 'config show',
    'node list': 'party list',
    'node status': 'status',
    'party remove': 'party stop',
    'snapshot create': 'snapshot save',
    'snapshot delete': 'snapshot remove',
    'snapshot load': 'snapshot restore',
  }),
);

/** The beginning of a name must have at least this many characters to be completed. */
const minPrefixCharacters = 3;

function longestFirst(one: string, other: string): number {
  return other.length - one.length;
}

function namesOf(command: KnownCommands['commands'][number]): string[] {
  return [command.id, ...command.aliases, ...command.hiddenAliases].map((id) => id.replaceAll(':', ' '));
}
