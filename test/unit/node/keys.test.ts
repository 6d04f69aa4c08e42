import { chmod, mkdtemp, readdir, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createSystemRandom } from '../../../src/adapters/random/system.js';
import { createKeyStore } from '../../../src/node/keys.js';

async function aStore() {
  const root = await mkdtemp(join(tmpdir(), 'keys-'));
  onTestFinished(() => rm(root, { recursive: true }));
  const directory = join(root, 'keys');
  const open = () => createKeyStore({ directory, random: createSystemRandom() });
  const files = async () => (await readdir(directory)).map((name) => join(directory, name));
  return { directory, open, files };
}

test('there is no key before one is made', async () => {
  const { open } = await aStore();
  expect(await open().load()).toEqual([]);
});

test('a key that was made is there in the next life', async () => {
  const { open } = await aStore();
  const made = [await open().create(), await open().create()];
  expect(made[0]).toMatch(/^0x[0-9a-f]{64}$/);
  expect([...(await open().load())].sort()).toEqual([...made].sort());
});

test('keys are files that only their owner can read, whatever the umask, and nothing else is left', async () => {
  const before = process.umask(0);
  onTestFinished(() => void process.umask(before));
  const { directory, open, files } = await aStore();
  await open().create();
  expect((await stat(directory)).mode & 0o777).toBe(0o700);
  const all = await files();
  expect(all).toHaveLength(1);
  for (const file of all) expect((await stat(file)).mode & 0o777).toBe(0o600);
});

test('a key that others may have read, a link, and what is no key stop the start', async () => {
  const { open, files } = await aStore();
  const key = await open().create();
  const [file = ''] = await files();
  await chmod(file, 0o640);
  await expect(open().load()).rejects.toThrow('0600');
  await chmod(file, 0o600);
  await rename(file, `${file}.moved`);
  await symlink(`${file}.moved`, file);
  await expect(open().load()).rejects.toThrow('0600');
  await rm(file);
  await writeFile(file, `${key.slice(0, -2)}\n`, { mode: 0o600 });
  const failure = await open()
    .load()
    .catch((error: unknown) => String(error));
  expect(failure).toContain('hexadecimal digits');
  expect(failure).not.toContain(key.slice(2, 20));
});

test('what a process that was killed has left unfinished is no key', async () => {
  const { directory, open } = await aStore();
  const key = await open().create();
  await writeFile(join(directory, 'unfinished'), '0x12', { mode: 0o600 });
  expect(await open().load()).toEqual([key]);
});
