import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from '@oclif/core';
import { commandGroups } from '../../src/cli/help/command-groups.js';

export type Loaded = Partial<
  Pick<typeof Command, 'summary' | 'description' | 'examples' | 'args' | 'flags' | 'baseFlags' | 'strict'>
>;
type Flag = (typeof Command)['flags'][string];

const commandsFolder = new URL('../../src/cli/commands/', import.meta.url).pathname;

/** Returns every command by its id, such as `events:tail`. */
export async function loadCommands(): Promise<ReadonlyMap<string, Loaded>> {
  const files = readdirSync(commandsFolder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  const loaded = await Promise.all(
    files.map(async (file) => {
      const { default: command } = (await import(join(commandsFolder, file))) as { default: Loaded };
      return [file.replace(/\.ts$/, '').replaceAll('/', ':'), command] as const;
    }),
  );
  return new Map(loaded);
}

/** Returns the text of `docs/commands.md`: every command with its summary, examples and flags. */
export async function commandReference(): Promise<string> {
  const commands = await loadCommands();
  const [first] = commands.values();
  const common = Object.entries(first?.baseFlags ?? {}).map(([name, flag]) => flagLine(name, flag));
  const groups = commandGroups.flatMap(([title, ids]) => [
    `## ${title}`,
    ...ids.flatMap((id) => {
      const command = commands.get(id);
      return command === undefined ? [] : [commandText(id, command)];
    }),
  ]);
  const head = [
    '# Commands',
    [
      'This page is generated from the help texts, which `stack COMMAND --help` prints. The program has',
      'two names, `stack` and `parley`. To generate the page again after a change of a command:',
      '`UPDATE_DOCS=1 npx vitest run test/unit/cli/reference.test.ts`',
    ].join('\n'),
    'Every command takes these flags, and `--help`:',
    common.join('\n'),
  ];
  return `${[...head, ...groups].join('\n\n')}\n`;
}

function commandText(id: string, command: Loaded): string {
  const own = Object.entries(command.flags ?? {}).filter(
    ([name, flag]) => !(name in (command.baseFlags ?? {})) && flag.hidden !== true,
  );
  const flags = own.map(([name, flag]) => flagLine(name, flag)).join('\n');
  const examples = (command.examples ?? []).map((example) => String(example).replaceAll('<%= config.bin %>', 'stack'));
  const described = Object.entries(command.args ?? {}).map(
    ([name, { description }]) => `- \`${name}\`: ${plain(description)}`,
  );
  return [
    `### \`${usageOf(id, command)}\``,
    plain(command.summary),
    plain(command.description),
    ['```sh', ...examples, '```'].join('\n'),
    [...described, flags].filter((text) => text !== '').join('\n'),
  ]
    .filter((text) => text !== '')
    .join('\n\n');
}

function usageOf(id: string, { args, strict }: Loaded): string {
  const words = Object.entries(args ?? {}).map(([name, { required }]) => (required === true ? name : `[${name}]`));
  return ['stack', id.replaceAll(':', ' '), ...words].join(' ') + (strict === false ? '…' : '');
}

function flagLine(name: string, flag: Flag): string {
  const short = flag.char === undefined ? '' : `-${flag.char}, `;
  const negated = flag.type === 'boolean' && flag.allowNo === true ? `--[no-]${name}` : `--${name}`;
  const value = flag.type === 'option' ? ` ${flag.options === undefined ? 'VALUE' : flag.options.join('|')}` : '';
  const initial: unknown = flag.type === 'option' ? flag.default : undefined;
  const shown = typeof initial === 'string' || typeof initial === 'number' ? ` (default: ${initial})` : '';
  return `- \`${short}${negated}${value}\`: ${plain(flag.description)}${shown}`;
}

/** Escapes text for Markdown. */
function plain(text: string | undefined): string {
  return (text ?? '').replaceAll('<%= config.bin %>', 'stack').replaceAll(/([*_<>|[\]`])/g, '\\$1');
}
