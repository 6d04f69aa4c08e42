import { mkdtemp, mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CliError } from '../../../../src/cli/errors/exit.js';
import { withStackHint } from '../../../../src/cli/errors/stack-word.js';
import { StackError } from '../../../../src/stack/error.js';

/** A home with one stack. */
async function homeWith(name: string): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), 'stack-word-'));
  await mkdir(join(home, 'stacks', name), { recursive: true });
  const entry = { directory: join(home, 'stacks', name), template: 'default@1', createdAt: '2026-01-01T00:00:00Z' };
  await writeFile(join(home, 'registry.json'), JSON.stringify({ version: 1, stacks: { [name]: entry } }));
  return home;
}

const noService = new StackError('SERVICE_NOT_FOUND', 'The stack has no service "dev"; known: alice.', {
  details: { name: 'dev' },
});
const noPool = new CliError('NOT_FOUND', 'There is no pool "dev".', { hint: 'See stack pool list.' });
const unexpected = new CliError('USAGE', 'Unexpected: dev', { hint: 'See stack balances --help.' });

describe('a word that is the name of a stack', () => {
  it.each<[string, string, readonly string[], Error, string | undefined]>([
    ['takes -s', 'logs', ['dev', '-f'], noService, '"dev" is a stack. Choose it with -s: stack logs -f -s dev'],
    ['takes -s', 'balances', ['dev'], unexpected, '"dev" is a stack. Choose it with -s: stack balances -s dev'],
    ['is an argument of start', 'start', ['a', 'dev'], unexpected, unexpected.hint],
    ['is not looked for beside -s', 'logs', ['dev', '-s', 'other'], noService, undefined],
    ['is not the only one', 'balances', ['x', 'dev'], new CliError('USAGE', 'Unexpected: x dev'), undefined],
    ['is no other word', 'logs', ['alice'], noService, undefined],
    ['may be the value of another flag', 'balances', ['--pool', 'dev'], noPool, noPool.hint],
    [
      'takes -s',
      'logs',
      ['--grep', 'dev', 'dev'],
      noService,
      '"dev" is a stack. Choose it with -s: stack logs --grep dev -s dev',
    ],
    ['is not looked for in other failures', 'logs', ['dev'], new CliError('TIMEOUT', 'dev'), undefined],
  ])('%s: %s %j', async (_, id, words, error, hint) => {
    const command = { program: 'stack', id, words, arguments: [], flags: { stack: 'stack to use' } };
    const found = await withStackHint(error, command, { STACK_HOME: await homeWith('dev') });
    expect(found).toMatchObject({ code: (error as CliError).code, message: error.message, hint });
  });

  it('is not looked for where the registry cannot be read', async () => {
    const home = await homeWith('dev');
    await writeFile(join(home, 'registry.json'), '{');
    const command = { program: 'stack', id: 'logs', words: ['dev'], arguments: [], flags: { stack: '' } };
    expect(await withStackHint(noService, command, { STACK_HOME: home })).toBe(noService);
  });
});
