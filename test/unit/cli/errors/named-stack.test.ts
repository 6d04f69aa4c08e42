import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import {
  nameProgram,
  nameStack,
  namingCommands,
  stacklessCommands,
  typedStack,
} from '../../../../src/cli/errors/named-stack.js';
import { loadConfig } from '../../../../src/cli/main.js';

const root = fileURLToPath(new URL('../../../..', import.meta.url));

describe('a hint for a stack that was named with -s', () => {
  it.each([
    ['Start it: stack start', 'Start it: stack start -s dev'],
    ['stack stop, then: stack start --host 10.0.0.5', 'stack stop -s dev, then: stack start -s dev --host 10.0.0.5'],
    ['Try: stack party start bob · Try: stack status', 'Try: stack party start -s dev bob · Try: stack status -s dev'],
    ['Start it: stack start dev', 'Start it: stack start dev'],
    [
      'stack logs -s dev bob, then stack start dev: it goes on',
      'stack logs -s dev bob, then stack start dev: it goes on',
    ],
    // A hint about another stack.
    ['Try: stack start what-if', 'Try: stack start what-if'],
    ['stack start b, or stack remove b, or another name.', 'stack start b, or stack remove b, or another name.'],
    ['stack list, stack remove NAME.', 'stack list, stack remove NAME.'],
    ['stack start what-if --reassign-ports', 'stack start what-if --reassign-ports'],
    // A word after the name of the program need not be a command.
    [
      'Wait until the stack is healthy, or stop it: stack stop',
      'Wait until the stack is healthy, or stop it: stack stop -s dev',
    ],
    ['Put it back, or remove the stack and create it again.', 'Put it back, or remove the stack and create it again.'],
    ['See stack config set --help.', 'See stack config set --help.'],
    ['stack logs bob -s dev. See: stack list', 'stack logs bob -s dev. See: stack list'],
    [
      'stack chain accounts create or stack chain accounts',
      'stack chain accounts create -s dev or stack chain accounts -s dev',
    ],
    ['mining is paused (stack chain resume)', 'mining is paused (stack chain resume -s dev)'],
    [
      'Everything of the haystack start is in /tmp/stack start',
      'Everything of the haystack start is in /tmp/stack start',
    ],
  ])('%s', (hint, named) => {
    expect(nameStack(hint, 'stack', 'dev')).toBe(named);
    expect(nameStack(hint, 'stack', undefined)).toBe(hint);
  });

  it('adds -s only to commands that take it', async () => {
    const { commands } = await loadConfig(root, 'stack');
    const wrong = commands.flatMap(({ id, flags }) => {
      const command = id.replaceAll(':', ' ');
      const named = nameStack(`stack ${command}`, 'stack', 'dev');
      return (named === `stack ${command} -s dev`) === 'stack' in flags ? [] : [named];
    });
    expect(wrong).toEqual([]);
    expect(stacklessCommands.filter((name) => commands.every(({ id }) => id.replaceAll(':', ' ') !== name))).toEqual(
      [],
    );
  });

  it('covers the commands whose argument is a stack', async () => {
    const { commands } = await loadConfig(root, 'stack');
    const naming = commands.filter(({ args }) =>
      Object.values(args).some(({ description = '' }) => /^names? of (?:the )?stacks?$/.test(description)),
    );
    expect(naming.map(({ id }) => id.replaceAll(':', ' ')).toSorted()).toEqual(namingCommands);
  });

  it.each([
    [['status', '-s', 'dev'], 'dev'],
    [['status', '-sdev'], 'dev'],
    [['status', '--stack=dev'], 'dev'],
    [['exec', '--', 'x', '-s', 'dev'], undefined],
    [['status'], undefined],
  ])('is found in %j', (argv, stack) => {
    expect(typedStack(argv)).toBe(stack);
  });
});

describe('the typed name of the program', () => {
  it('is used for every command of a hint, and for nothing else', async () => {
    const { commands } = await loadConfig(root, 'stack');
    const wrong = commands.filter(({ hidden, id }) => {
      const command = id.replaceAll(':', ' ');
      return hidden !== true && nameProgram(`Then: stack ${command} x`, 'parley') !== `Then: parley ${command} x`;
    });
    expect(wrong.map(({ id }) => id)).toEqual([]);
    const prose = 'Remove the stack and create it again, in /tmp/stack start.';
    expect(nameProgram(prose, 'parley')).toBe(prose);
  });
});
