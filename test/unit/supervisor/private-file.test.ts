import { mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writePrivateFile } from '../../../src/supervisor/private-file.js';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'parley-private-file-'));
});
afterEach(() => rm(directory, { recursive: true }));

test('a file is replaced as a whole, and only its owner may read it', async () => {
  const path = join(directory, 'key');
  await writePrivateFile(path, 'the first, which is longer');
  await writePrivateFile(path, 'the second');
  expect(await readFile(path, 'utf8')).toBe('the second');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

test('what cannot be put in its place leaves no copy of its bytes behind', async () => {
  const taken = join(directory, 'key');
  await mkdir(taken);
  await expect(writePrivateFile(taken, 'a secret')).rejects.toThrow();
  expect(await readdir(directory)).toEqual(['key']);
});
