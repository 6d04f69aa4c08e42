import { describe, expect, it } from 'vitest';
import { jobEnvironment, requireCommand, requireProgram, splitWords } from '../../../../src/cli/run/command.js';

const flags = { template: { type: 'option', char: 't' }, smoke: { type: 'boolean' } };

describe('the arguments of run', () => {
  it('are flags before --, and the command after it, including its own --', () => {
    expect(splitWords(['-t', 'ci', '--', 'npm', 'test', '--', '-x'], 'stack run', flags)).toEqual({
      own: ['-t', 'ci'],
      command: ['npm', 'test', '--', '-x'],
    });
  });

  it.each([
    [['npm', 'test'], 'stack run -- npm test'],
    [['-t', 'ci', '--smoke', 'npm', 'test', '--watch'], 'stack run -t ci --smoke -- npm test --watch'],
    [['--template', 'ci', 'sh', '-c', 'exit 7'], "stack run --template ci -- sh -c 'exit 7'"],
    [['dev', '--', 'true'], 'stack run -- dev true'],
  ])('%j are refused with the line that was meant', (argv, meant) => {
    expect(() => splitWords(argv, 'stack run', flags)).toThrow(
      expect.objectContaining({ exitCode: 2, hint: `Write: ${meant}` }) as Error,
    );
  });

  it('include a command', () => {
    const words = splitWords(['-t', 'ci', '--'], 'stack run', flags);
    expect(() => requireCommand(words, 'stack run')).toThrow(
      expect.objectContaining({ exitCode: 2, hint: 'For example: stack run -t ci -- npm test' }) as Error,
    );
  });
});

describe('the program of run', () => {
  it('is searched in the PATH, or at its path', async () => {
    const environment = { PATH: `/nowhere:${process.execPath.replace(/\/[^/]*$/, '')}` };
    await expect(requireProgram('node', environment)).resolves.toBeUndefined();
    await expect(requireProgram(process.execPath, {})).resolves.toBeUndefined();
  });

  it.each(['no-such-program', './no-such-program', '/etc/passwd', '/'])('%s is not a program: 127', async (program) => {
    await expect(requireProgram(program, { PATH: '/nowhere' })).rejects.toMatchObject({ exitCode: 127 });
  });
});

describe('the environment of a command', () => {
  const stack = { STACK_NAME: 'run-1', STACK_PARTIES: 'alice,bob', STACK_ALICE_URL: 'http://127.0.0.1:2' };

  it('has the addresses of the stack instead of any other', () => {
    const others = { STACK_URL: 'http://x', STACK_DAVE_URL: 'http://x', STACK_CA_FILE: '/c', STACK_DAVE_CA_FILE: '/c' };
    const ours = { HOME: '/h', ...others, STACK_HOME: '/s', STACK_TRACE: '1' };
    expect(jobEnvironment(ours, stack)).toEqual({ HOME: '/h', STACK_HOME: '/s', STACK_TRACE: '1', ...stack });
  });

  it('keeps the selected party if the stack has it', () => {
    expect(jobEnvironment({ STACK_PARTY: 'bob' }, stack)).toHaveProperty('STACK_PARTY', 'bob');
    expect(jobEnvironment({ STACK_PARTY: 'dave' }, stack)).not.toHaveProperty('STACK_PARTY');
  });
});
