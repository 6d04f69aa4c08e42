import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import { BaseCommand } from '../../../src/cli/base.js';
import Init from '../../../src/cli/commands/init.js';
import { loadConfig } from '../../../src/cli/main.js';
import { nameNode, nextStep } from '../../../src/cli/next-step.js';
import { createStack } from '../../../src/stack/create.js';
import { placeFrom } from '../../../src/stack/layout.js';
import { aPlace } from '../stack/fixtures/place.js';
import { memoryOutput } from './memory-output.js';

const root = new URL('../../..', import.meta.url).pathname;

describe('a suggested command', () => {
  it.each([
    // Whatever is created at one party is found there.
    ['events tail --durable app', ['app', '-p', 'bob'], 'events tail --durable app -p bob'],
    ['mint 100 --pool gold', ['gold', '--party=bob', '--ns', 'two'], 'mint 100 --pool gold -p bob --ns two'],
    ['data list', ['x', '-pbob'], 'data list -p bob'],
    ['data list', ['x', '--', '-p', 'bob'], 'data list'],
    ['events tail --all-parties', ['1', '-p', 'bob'], 'events tail --all-parties'],
    [
      'events tail --all-parties',
      ['1', '--url', 'http://h:1', '--auth-file', '/my file'],
      "events tail --url http://h:1 --auth-file '/my file'",
    ],
    // No node of its own, or none that a URL names.
    ['chain blocks -n 1', ['C.json', '-p', 'bob'], 'chain blocks -n 1'],
    ['chain blocks -n 1', ['C.json', '--url', 'http://h:1'], undefined],
  ])('%s behind %j is for the same node', async (command, argv, step) => {
    const config = await loadConfig(root, 'stack');
    const flagsOf = (name: string) => Object.keys(config.findCommand(name.replaceAll(' ', ':'))?.flags ?? {});
    expect(nextStep(command, argv, flagsOf)).toBe(step);
  });

  it('starts the stack that was created, whatever its name', async () => {
    const { home } = aPlace();
    vi.stubEnv('STACK_HOME', home);
    const place = placeFrom({ STACK_HOME: home });
    await createStack(place, { name: 'dev', template: 'minimal', workingDirectory: '/' });
    vi.spyOn(process, 'cwd').mockReturnValue(home);
    const { output, err } = memoryOutput({ isTerminal: true });
    await new Init(['dev', '--here'], await loadConfig(root, 'stack')).runWithin(output);
    expect(err()).toMatch(/stack start dev-[0-9a-f]{4}/);
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
  });
});

describe('a command suggested after the start of a named stack', () => {
  class Started extends BaseCommand {
    static override id = 'start';
    async run(): Promise<void> {
      await this.suggest('messages list');
    }
  }

  it.each([
    ['dev', 'stack messages list'],
    // Another stack is selected.
    ['two', 'stack messages list -s two'],
  ])('is for the stack %s', async (name, expected) => {
    const { home } = aPlace();
    vi.stubEnv('STACK_HOME', home);
    vi.stubEnv('STACK_NAME', 'dev');
    const { output, err } = memoryOutput({ isTerminal: true });
    await new Started([name], await loadConfig(root, 'stack')).runWithin(output);
    expect(stripVTControlCharacters(err())).toBe(`Try: ${expected}\n`);
    vi.unstubAllEnvs();
  });
});

describe('a hint for a node that was chosen with flags', () => {
  it.each([
    ['List them: stack subs list', ['-p', 'bob'], 'List them: stack subs list -p bob'],
    ['stack messages get ID', ['--party=bob', '--ns', 'two'], 'stack messages get -p bob --ns two ID'],
    ['stack pool get gold', ['--url', 'http://h:1', '--ca', 'a b'], "stack pool get --url http://h:1 --ca 'a b' gold"],
    ['stack balances -p carol', ['-p', 'bob', '--ns', 'two'], 'stack balances --ns two -p carol'],
    ['stack events tail --all-parties', ['-p', 'bob'], 'stack events tail --all-parties'],
    ['See stack subs list --help.', ['-p', 'bob'], 'See stack subs list --help.'],
    ['stack subs list', ['-p', 'all'], 'stack subs list'],
    // Commands for a whole stack, of which some have another --party.
    ['Start it: stack start dev', ['-p', 'bob', '--ns', 'two'], 'Start it: stack start dev'],
    ['stack stop dev', ['-p', 'bob'], 'stack stop dev'],
    ['stack subs list', [], 'stack subs list'],
  ])('%s, after %j', async (hint, argv, named) => {
    const config = await loadConfig(root, 'stack');
    const flagsOf = (name: string) => Object.keys(config.findCommand(name.replaceAll(' ', ':'))?.flags ?? {});
    expect(nameNode(hint, 'stack', argv, flagsOf)).toBe(named);
  });
});
