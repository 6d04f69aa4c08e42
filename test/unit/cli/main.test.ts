import { fileURLToPath } from 'node:url';
import { Config } from '@oclif/core/config';
import { expect, it } from 'vitest';
import { hintFor, loadConfig } from '../../../src/cli/main.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));

it('commands know the name that was typed, although each gets its own configuration', async () => {
  const config = await loadConfig(root, 'parley');
  expect((await Config.load(config)).bin).toBe('parley');
  expect((await Config.load(await loadConfig(root, 'stack'))).bin).toBe('stack');
});

it('no plugins are read from the directory of the stacks', async () => {
  expect((await Config.load(await loadConfig(root, 'stack'))).options.userPlugins).toBe(false);
});

it.each([
  ['start b', 'stack reset -s b'],
  ['start --timeout 2m b', 'stack reset -s b'],
  ['config show b', 'stack reset -s b'],
  ['up b --progress none', 'stack reset -s b'],
  ['start -s b', 'stack reset -s b'],
  ['stop b c', 'stack reset'],
  ['start', 'stack reset'],
  ['party list', 'stack reset'],
])('a hint after "stack %s" is for the same stack', async (typed, command) => {
  const config = await loadConfig(root, 'stack');
  const failure = { code: 'CONFLICT', details: {}, hint: 'Set it back, or start over: stack reset' };
  expect(hintFor(failure, { program: 'stack', argv: typed.split(' '), config })).toBe(
    `Set it back, or start over: ${command}`,
  );
});

it('a hint for a stack that does not exist is for no stack', async () => {
  const config = await loadConfig(root, 'stack');
  const hint = 'For one party: stack party stop bob -s dev (or start, restart, pause, resume)';
  const failure = { code: 'STACK_NOT_FOUND', hint, details: { name: 'bob' } };
  const environment = { STACK_NAME: 'bob' };
  const shown = (argv: string[]) => hintFor(failure, { program: 'stack', argv, config, environment });
  expect(shown(['stop', 'bob'])).toBe(hint);
  expect(shown(['status', '-s', 'bob'])).toBe(hint);
  expect(shown(['status'])).toBe(`STACK_NAME is set to it; to use another stack: unset STACK_NAME. ${hint}`);
});
