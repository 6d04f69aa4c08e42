import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeFolder } from '../../../../src/stack/export/folder.js';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'parley-folder-'));
  await writeFile(join(directory, 'file'), '');
});
afterAll(() => rm(directory, { recursive: true, force: true }));

describe('The folder of an export', () => {
  test('is created with its parents, and is private', async () => {
    const path = join(directory, 'one', 'two');
    await makeFolder(path);
    expect((await stat(path)).mode & 0o777).toBe(0o700);
  });

  test('is refused if it exists or cannot be created', async () => {
    await expect(makeFolder(directory)).rejects.toMatchObject({ code: 'NAME_EXISTS' });
    const impossible = [join(directory, 'file'), join(directory, 'file', 'in')];
    for (const path of [...impossible, '/proc/nothing']) {
      await expect(makeFolder(path)).rejects.toMatchObject({ code: 'EXPORT_REFUSED' });
    }
  });
});
