import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Type } from '@sinclair/typebox';
import { expect, test } from 'vitest';
import { readJsonFile, updateJsonFile } from '../../../../src/supervisor/files/json-file.js';
import { aDirectory } from '../fixtures/plans.js';

test('a file is replaced only if its value differs', async () => {
  const path = join(aDirectory(), 'below', 'value.json');
  const inode = () => statSync(path).ino;
  await updateJsonFile(path, { value: 1 });
  const first = inode();
  await updateJsonFile(path, { value: 1 });
  expect(inode()).toBe(first);
  await updateJsonFile(path, { value: 2 });
  expect(await readJsonFile(path, Type.Unknown())).toEqual({ value: 2 });
  writeFileSync(path, 'torn');
  await updateJsonFile(path, { value: 2 });
  expect(await readJsonFile(path, Type.Unknown())).toEqual({ value: 2 });
});

test('a directory in the place of a file is an error that names it', async () => {
  const path = aDirectory();
  await expect(readJsonFile(path, Type.Unknown())).rejects.toMatchObject({ code: 'EISDIR', path });
});
