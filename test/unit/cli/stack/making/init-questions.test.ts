import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { completeInit } from '../../../../../src/cli/stack/making/init-questions.js';
import { createStack } from '../../../../../src/stack/create.js';
import { aPlace } from '../../../stack/fixtures/place.js';
import { memoryOutput } from '../../memory-output.js';

const none = { yes: false, 'no-input': false, here: false, 'if-missing': false };

async function answered(
  typed: string,
  flags: Partial<Parameters<typeof completeInit>[0]> = {},
  isTerminal = true,
  { home } = aPlace(),
) {
  const { output, err } = memoryOutput({ isTerminal });
  const input = Object.assign(new PassThrough(), { isTTY: isTerminal });
  input.end(typed);
  const context = { output, environment: { STACK_HOME: home }, program: 'stack' };
  const outcome: unknown = await completeInit({ ...none, ...flags }, context, input).catch((error: unknown) => error);
  return { outcome, err: err() };
}

describe('the questions of init', () => {
  it('are name, parties and tokens, and Enter accepts the default', async () => {
    const { outcome, err } = await answered('\n\n\n');
    expect(outcome).toMatchObject({ name: 'dev', parties: 'alice,bob,carol', template: undefined });
    expect(err.split(']: ')).toHaveLength(4);
    expect((await answered('trade\n2\ny\n')).outcome).toMatchObject({
      name: 'trade',
      parties: '2',
      template: 'tokens',
    });
  });

  it('leave out what was given, and are not asked if a stack is named', async () => {
    const { outcome, err } = await answered('trade\n', { parties: 'a,b', template: 'ci' });
    expect([outcome, err]).toMatchObject([
      { name: 'trade', parties: 'a,b', template: 'ci' },
      'Name of the stack [dev]: ',
    ]);
    expect((await answered('', { name: 'mine' })).err).toBe('');
    expect((await answered('', { yes: true })).err).toBe('');
    expect((await answered('', { 'no-input': true })).err).toBe('');
    expect((await answered('', {}, false)).err).toBe('');
  });

  it('accept no name of another stack, and propose none', async () => {
    const place = aPlace();
    await createStack(place, { name: 'dev', template: 'minimal', workingDirectory: '/' });
    const { outcome, err } = await answered('dev\n\n\n\n', {}, true, place);
    expect(outcome).toMatchObject({ name: 'dev-2' });
    expect(err).toContain(
      'Name of the stack [dev-2]:   The stack dev already exists. Choose another name.\nName of the stack [dev-2]: ',
    );
    const again = await answered('\n\n\n', { 'if-missing': true }, true, place);
    expect(again.outcome).toMatchObject({ name: 'dev' });
  });

  it('are repeated after an invalid answer', async () => {
    const { outcome, err } = await answered('Trade!\ntrade\n0\n1\nmaybe\nn\n');
    expect(outcome).toMatchObject({ name: 'trade', parties: '1', template: undefined });
    expect(err).toContain('A stack cannot be named "Trade!". Names begin with a letter a-z and have at most 32 of a-z');
    expect(err).toContain('Answer y or n.');
  });

  it('exit silently with 130 at Ctrl-D', async () => {
    expect((await answered('trade\n')).outcome).toMatchObject({ exitCode: 130, isPrinted: true });
  });
});
