import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exists, namesIn } from '../../../../src/supervisor/machine/directory.js';
import { aDirectory } from '../fixtures/plans.js';

test('a directory that does not exist has no names; one that cannot be read is an error', async () => {
  const directory = aDirectory();
  const file = join(directory, 'file');
  writeFileSync(file, '');
  expect(await namesIn(directory)).toEqual(['file']);
  expect(await namesIn(join(directory, 'missing'))).toEqual([]);
  await expect(namesIn(file)).rejects.toMatchObject({ code: 'ENOTDIR' });
});

test('a missing file does not exist; one that cannot be looked for is an error', async () => {
  const file = join(aDirectory(), 'file');
  writeFileSync(file, '');
  expect(await exists(file)).toBe(true);
  expect(await exists(`${file}-2`)).toBe(false);
  await expect(exists(join(file, 'below'))).rejects.toMatchObject({ code: 'ENOTDIR' });
});
