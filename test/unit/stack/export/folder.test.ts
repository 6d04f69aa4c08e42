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
  test('is made with its parents, for its owner alone', async () => {
    const path = join(directory, 'one', 'two');
    await makeFolder(path);
    expect((await stat(path)).mode & 0o777).toBe(0o700);
  });

  test('is refused where something is, or nothing can be', async () => {
    await expect(makeFolder(directory)).rejects.toMatchObject({ code: 'NAME_EXISTS' });
    const impossible = [join(directory, 'file'), join(directory, 'file', 'in')];
    for (const path of [...impossible, '/proc/nothing']) {
      await expect(makeFolder(path)).rejects.toMatchObject({ code: 'EXPORT_REFUSED' });
    }
  });
});
