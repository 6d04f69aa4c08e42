import type { Command } from '@oclif/core';
import { commandGroups } from '../../src/cli/help/command-groups.js';
import { exitCodes } from '../../src/cli/errors/exit.js';
import { signalCodes } from '../../src/cli/signals.js';
import { type Loaded, loadCommands } from './command-reference.js';

type Flag = (typeof Command)['flags'][string];

/** Returns the text of `man/stack.1`: every command with its summary, arguments and flags. */
export async function manPage(): Promise<string> {
  const commands = await loadCommands();
  const [first] = commands.values();
  const groups = commandGroups.flatMap(([title, ids]) => [
    `.SH ${title.toUpperCase()}`,
    ...ids.flatMap((id) => {
      const command = commands.get(id);
      return command === undefined ? [] : commandLines(id, command);
    }),
  ]);
  const codes = Object.entries({ ...exitCodes, HANGUP: signalCodes.SIGHUP })
    .toSorted(([, one], [, other]) => one - other)
    .flatMap(([name, code]) => ['.TP', `.B ${code}`, roff(name)]);
  return [
    '.\\" Generated from the commands by test/unit/cli/reference.test.ts.',
    '.TH STACK 1',
    '.SH NAME',
    'stack, parley \\- a whole multi\\-party network on this machine, and its messages from the shell',
    '.SH SYNOPSIS',
    '.B stack',
    '.I COMMAND',
    '[\\fIARGUMENTS\\fR] [\\fIFLAGS\\fR]',
    '.SH FLAGS OF EVERY COMMAND',
    ...Object.entries(first?.baseFlags ?? {}).flatMap(([name, flag]) => flagLines(name, flag)),
    ...groups,
    '.SH EXIT STATUS',
    ...codes,
    '',
  ].join('\n');
}

function commandLines(id: string, { summary, description, args, flags, baseFlags }: Loaded): string[] {
  const words = Object.entries(args ?? {}).map(([name, { required }]) => (required === true ? name : `[${name}]`));
  const isOwn = ([name, flag]: [string, Flag]) => !(name in (baseFlags ?? {})) && flag.hidden !== true;
  const own = Object.entries(flags ?? {}).filter(isOwn);
  return [
    `.SS ${roff(['stack', id.replaceAll(':', ' '), ...words].join(' '))}`,
    roff(summary ?? ''),
    ...(description === undefined ? [] : ['.PP', roff(description)]),
    ...Object.entries(args ?? {}).flatMap(([name, argument]) => [
      '.TP',
      `.I ${roff(name)}`,
      roff(argument.description ?? ''),
    ]),
    ...own.flatMap(([name, flag]) => flagLines(name, flag)),
  ];
}

function flagLines(name: string, flag: Flag): string[] {
  const short = flag.char === undefined ? '' : `-${flag.char}, `;
  const long = flag.type === 'boolean' && flag.allowNo === true ? `--[no-]${name}` : `--${name}`;
  const value = flag.type === 'option' ? ` ${flag.options === undefined ? 'VALUE' : flag.options.join('|')}` : '';
  return ['.TP', `.B ${roff(short + long + value)}`, roff(flag.description ?? '')];
}

/** Escapes a line, so that nothing in it is a command to the formatter. */
function roff(text: string): string {
  const escaped = text
    .replaceAll('<%= config.bin %>', 'stack')
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll(/\s*\n\s*/g, ' ');
  return /^[.']/.test(escaped) ? `\\&${escaped}` : escaped;
}
