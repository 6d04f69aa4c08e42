import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { confirm, type Question } from '../../../../src/cli/terminal/prompt.js';
import { memoryOutput } from '../memory-output.js';

async function ask(typed: string | undefined, question: Question = { text: 'Delete it?' }, isJson = false) {
  const { output, out, err } = memoryOutput({ isTerminal: true, modes: { isJson } });
  const input = Object.assign(new PassThrough(), { isTTY: true });
  input.end(typed ?? '');
  const context = { output, environment: {}, program: 'stack' };
  const answer: unknown = await confirm(question, { yes: false, 'no-input': false }, context, input).catch(
    (error: unknown) => error,
  );
  return { answer, out: out(), err: err() };
}

describe('a question before something is destroyed', () => {
  it.each(['y\n', 'Y\n', 'yes\n'])('is answered by %j', async (typed) => {
    expect(await ask(typed)).toEqual({ answer: true, out: '', err: 'Delete it? [y/N] ' });
  });

  it.each(['n\n', '\n', 'dev\n'])('changes nothing with %j, which is not a failure', async (typed) => {
    expect(await ask(typed)).toEqual({ answer: false, out: '', err: 'Delete it? [y/N] Nothing changed.\n' });
  });

  it('may require a name', async () => {
    const question = { text: 'Delete it?', answer: 'dev' };
    expect((await ask('dev\n', question)).answer).toBe(true);
    expect((await ask('y\n', question)).answer).toBe(false);
  });

  it('exits silently with 130 at Ctrl-D', async () => {
    const { answer, err } = await ask(undefined);
    expect(answer).toMatchObject({ exitCode: 130, isPrinted: true });
    expect(err).toBe('Delete it? [y/N] \n');
  });

  it('reports to a script, too, that nothing changed', async () => {
    const { out } = await ask('n\n', { text: 'Delete it?' }, true);
    expect(JSON.parse(out)).toEqual({ schemaVersion: 1, changed: false });
  });
});
