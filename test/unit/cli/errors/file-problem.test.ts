import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileProblem, writeProblem } from '../../../../src/cli/errors/file-problem.js';

describe('the problem with a file', () => {
  it.each([
    [join(tmpdir(), 'parley-no-such-file'), 'there is no such file'],
    [tmpdir(), 'it is a directory'],
    [join(process.execPath, 'x'), 'a part of its path is not a directory'],
  ])('%s is said in words', async (path, words) => {
    expect(fileProblem(await readFile(path).catch((error: unknown) => error))).toBe(words);
  });

  it('to be written is its directory, if that is missing', async () => {
    const path = join(tmpdir(), 'parley-no-such-directory', 'file');
    expect(writeProblem(await writeFile(path, '').catch((error: unknown) => error))).toBe('there is no such directory');
    expect(writeProblem(await writeFile(tmpdir(), '').catch((error: unknown) => error))).toBe('it is a directory');
  });

  it('that is unknown is shown unchanged', () => {
    expect(fileProblem(new Error('odd'))).toBe('odd');
    expect(fileProblem('text')).toBe('text');
  });
});
