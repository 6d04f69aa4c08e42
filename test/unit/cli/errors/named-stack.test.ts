import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { nameStack, stacklessCommands, typedStack } from '../../../../src/cli/errors/named-stack.js';
import { loadConfig } from '../../../../src/cli/main.js';

const root = fileURLToPath(new URL('../../../..', import.meta.url));

describe('a hint for a stack that was named with -s', () => {
  it.each([
    ['Start it: stack start', 'Start it: stack start -s dev'],
    [
      'stack stop, then stack start with --host again.',
      'stack stop -s dev, then stack start -s dev with --host again.',
    ],
    ['Try: stack party start bob · Try: stack status', 'Try: stack party start -s dev bob · Try: stack status -s dev'],
    ['Start it: stack start dev', 'Start it: stack start dev'],
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

  it('gives -s to commands that take it, and to no others', async () => {
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
