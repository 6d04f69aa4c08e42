import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileProblem } from '../../../../src/cli/errors/file-problem.js';

describe('the problem with a file', () => {
  it.each([
    [join(tmpdir(), 'parley-no-such-file'), 'there is no such file'],
    [tmpdir(), 'it is a directory'],
    [join(process.execPath, 'x'), 'a part of its path is no directory'],
  ])('%s is said in words', async (path, words) => {
    expect(fileProblem(await readFile(path).catch((error: unknown) => error))).toBe(words);
  });

  it('that is not known is said as it came', () => {
    expect(fileProblem(new Error('odd'))).toBe('odd');
    expect(fileProblem('text')).toBe('text');
  });
});
