import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { memoryOutput } from '../memory-output.js';
import { loadConfig } from '../../../../src/cli/main.js';
import { requireFlagsBehind, showHelp, unknownCommand } from '../../../../src/cli/help/show-help.js';

const commands = ['list', 'events:tail', 'events:list', 'transfers', 'transfers:get', 'contract:call', 'start'].map(
  (id) => ({
    id,
    aliases: id === 'start' ? ['up'] : [],
    hiddenAliases: [],
    hidden: false,
  }),
);
const config = { bin: 'stack', commands };

describe('words that are not a command', () => {
  it.each([
    ['evnts tail', 'events tail'],
    ['events tial', 'events tail'],
    ['strat', 'start'],
    ['kill', 'stop'],
    ['tail -f', 'events tail'],
    ['config get logs.level', 'config show'],
    ['eve', 'events tail'],
    ['trans', 'transfers'],
    ['START', 'start'],
    ['dev start', 'start'],
    ['contract deploy', 'chain deploy'],
    ['subscription list', 'subs list'],
    ['event list', 'events list'],
    ['stacks', 'list'],
    ['operations list', 'api GET operations'],
    ['blocks', 'chain blocks'],
    ['contracts ls', 'api GET apis'],
    ['node list', 'party list'],
    ['events ls', 'events list'],
    ['dev list', 'list'],
  ])('%s are answered with the nearest that is', (typed, meant) => {
    const error = unknownCommand(typed.split(' '), config);
    expect(error).toMatchObject({ exitCode: 127, hint: `Did you mean: stack ${meant}` });
  });

  it.each(['xyzzy', 'ev', 'msg'])('%s, which resembles nothing, is answered with how to list all commands', (typed) => {
    expect(unknownCommand([typed], config)).toMatchObject({ exitCode: 127, hint: 'See stack help.' });
  });

  it.each([
    ['events tail more', 'events tail'],
    ['events tail more words', 'events tail'],
    ['transfers get it', 'transfers get'],
    ['up now', 'up'],
  ])('behind one that takes none, as in %s, are a usage error of that one', (typed, command) => {
    const error = unknownCommand(typed.split(' '), config);
    expect(error).toMatchObject({ exitCode: 2, hint: `See stack ${command} --help.` });
  });

  it('behind the command that lists, list is not needed', () => {
    for (const word of ['list', 'ls']) {
      const error = unknownCommand(['transfers', word], config);
      expect(error).toMatchObject({ exitCode: 2, hint: 'Did you mean: stack transfers' });
    }
  });
});

describe('help', () => {
  const root = fileURLToPath(new URL('../../../..', import.meta.url));
  const shown = async (id: string, program = 'stack', columns?: number) => {
    const { output, out } = memoryOutput(columns === undefined ? {} : { columns });
    await showHelp(await loadConfig(root, program), id, output);
    return out();
  };

  it('for a topic lists each command below it once, as it is typed', async () => {
    const text = await shown('chain');
    expect(text.split('\n').every((line) => line.length <= 80)).toBe(true);
    expect(text).toMatch(/^ +chain accounts {2,}List the accounts of a stack with balances and key files\.$/m);
    const lines = text.split('\n').map((line) => line.trim().split(/ {2,}/)[0]);
    expect(lines.filter((name) => name?.startsWith('chain accounts'))).toEqual([
      'chain accounts',
      'chain accounts create',
    ]);
    expect(lines).toContain('COMMANDS');
    expect(lines).not.toContain('TOPICS');
  });

  it('is also shown in a very narrow terminal', async () => {
    expect(await shown('status', 'stack', 20)).toContain('$ stack status');
  });

  it.each([
    ['', 'help', 'Begin with'],
    ['chain', 'chain', 'chain info'],
    ['chain:info', 'chain info', 'USAGE'],
  ])('for %j is one JSON text with --json, without styles', async (id, topic, part) => {
    const { output, out } = memoryOutput({ modes: { isJson: true }, isTerminal: true });
    await showHelp(await loadConfig(root, 'stack'), id, output);
    const { text, ...members } = JSON.parse(out()) as { readonly text: string };
    expect(members).toEqual({ schemaVersion: 1, topic });
    expect(text).toContain(part);
    expect(text).not.toContain('\u001b');
  });

  it.each([
    ['exit-cods', 'exit-codes'],
    ['exit:codes', 'exit-codes'],
    ['payload', 'payloads'],
  ])('for %s, which there is not, names the topic that was meant', async (typed, meant) => {
    await expect(shown(typed)).rejects.toMatchObject({ exitCode: 127, hint: `Did you mean: stack help ${meant}` });
  });

  it('for a word that resembles a command and not a topic names the command', async () => {
    await expect(shown('statsu')).rejects.toMatchObject({ exitCode: 127, hint: 'Did you mean: stack status' });
  });
});

describe('flags before a command', () => {
  it.each([
    ['-s dev start -q', 'stack start -s dev -q'],
    ['--json events tail --count 1', 'stack events tail --json --count 1'],
    ['-v up -- x', 'stack up -v -- x'],
  ])('are refused with the line as it should be: %s', (typed, right) => {
    const refused = expect.objectContaining({ exitCode: 2, hint: `Write: ${right}` }) as Error;
    expect(() => {
      requireFlagsBehind(typed.split(' '), config);
    }).toThrow(refused);
  });

  it('are shown in the corrected line as a shell accepts it', () => {
    const hint = `Write: stack start -p bob '{"a": 1}' ''`;
    const refused = expect.objectContaining({ exitCode: 2, hint }) as Error;
    expect(() => {
      requireFlagsBehind(['-p', 'bob', 'start', '{"a": 1}', ''], config);
    }).toThrow(refused);
  });

  it('do not hide an unknown command', () => {
    const refused = expect.objectContaining({ exitCode: 127, hint: 'Did you mean: stack start' }) as Error;
    expect(() => {
      requireFlagsBehind(['--json', 'strat'], config);
    }).toThrow(refused);
  });

  it.each([
    ['--vresion', 'There is no flag --vresion — did you mean "--version"?'],
    ['-q -V', 'There is no flag -V; known: --json'],
    ['--json --frobnicate', 'There is no flag --frobnicate; known:'],
  ])('are refused without one if no command has them: %s', (typed, message) => {
    const refused = expect.objectContaining({ exitCode: 2, message: expect.stringContaining(message) as string });
    expect(() => {
      requireFlagsBehind(typed.split(' '), config);
    }).toThrow(refused as Error);
  });

  it.each(['', '--json', '-h', '-v -- start'])('are accepted without one: %s', (typed) => {
    expect(() => {
      requireFlagsBehind(typed.split(' '), config);
    }).not.toThrow();
  });
});
