import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { imageFiles, programsInImage } from '../../../../src/stack/engines/image-files.js';
import { aDirectory } from '../../supervisor/fixtures/plans.js';

const own = 'node_modules/@parley-stack/parley';

test.each([
  ['beside the package', 'node_modules/sqlite3', '/opt/node_modules/sqlite3'],
  ['within the package', `${own}/node_modules/sqlite3`, '/opt/parley/node_modules/sqlite3'],
])('An image has its programs in one place, with dependencies installed %s', async (_, installed, placed) => {
  const project = aDirectory();
  for (const file of [`${own}/package.json`, `${own}/bin/node.js`, `${installed}/package.json`]) {
    await mkdir(dirname(join(project, file)), { recursive: true });
    await writeFile(join(project, file), '{}');
  }
  const files = await imageFiles(false, join(project, own));
  const targets = new Map(files.map(({ source, target }) => [source, `/${target}`]));
  expect(targets.get(join(project, own, 'bin/node.js'))).toBe(`${programsInImage}/node.js`);
  expect(targets.get(join(project, installed, 'package.json'))).toBe(`${placed}/package.json`);
});
