import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { exportOne } from '../../../../src/cli/snapshots/snapshots.js';
import { placeFrom } from '../../../../src/stack/layout.js';
import { saveSnapshot } from '../../../../src/stack/snapshot/saving/save.js';
import { aNetwork } from '../../stack/snapshot/a-network.js';
import { memoryOutput } from '../memory-output.js';

const folder = mkdtempSync(join(tmpdir(), 'parley-export-name-'));
const environment = { STACK_HOME: folder, XDG_RUNTIME_DIR: folder };
const context = { output: memoryOutput().output, environment, program: 'stack' };

beforeAll(async () => {
  await saveSnapshot(await aNetwork('dev', placeFrom(environment)), 'before');
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

it.each([
  ['before.zip', 'before.tar.gz'],
  ['a/before.tar.xz', 'a/before.tar.gz'],
  ['BEFORE.TAR', 'BEFORE.tar.gz'],
])('an export to %s is refused, and its hint names %s', async (file, better) => {
  const exported = exportOne('before', join(folder, file), { stack: 'dev' }, context);
  await expect(exported).rejects.toMatchObject({ code: 'USAGE', hint: `For example: ${join(folder, better)}` });
  expect(readdirSync(folder).filter((name) => /before/i.test(name))).toEqual([]);
});

it.each(['one.tar.gz', 'one.tgz', 'one.of-monday'])('an export to %s is written', async (file) => {
  const { primary } = await exportOne('before', join(folder, file), { stack: 'dev' }, context);
  expect(primary).toBe(join(folder, file));
  expect(readdirSync(folder)).toContain(file);
});
