import { chmod, mkdtemp, readdir, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createSystemRandom } from '../../../../src/adapters/random/system.js';
import { createKeyStore } from '../../../../src/node/identities/keys.js';

async function aStore() {
  const root = await mkdtemp(join(tmpdir(), 'keys-'));
  onTestFinished(() => rm(root, { recursive: true }));
  const directory = join(root, 'keys');
  const open = () => createKeyStore({ directory, random: createSystemRandom() });
  const files = async () => (await readdir(directory)).map((name) => join(directory, name));
  return { directory, open, files };
}

test('there is no key before one is created', async () => {
  const { open } = await aStore();
  expect(await open().load()).toEqual([]);
});

test('a created key exists in the next life', async () => {
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

test('a key that others may have read, a link, and an invalid key stop the start', async () => {
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

test('an unfinished file of a killed process is not a key', async () => {
  const { directory, open } = await aStore();
  const key = await open().create();
  await writeFile(join(directory, '.unfinished'), '0x12', { mode: 0o600 });
  expect(await open().load()).toEqual([key]);
});

test('a key added while the node runs is found; one that was readable by others is ignored and reported', async () => {
  const { directory, open } = await aStore();
  const told: string[] = [];
  const warn = (message: string) => void told.push(message);
  const store = createKeyStore({ directory, random: createSystemRandom(), log: { warn } });
  const key = await open().create();
  expect(await store.readable()).toEqual([key]);
  await writeFile(join(directory, 'shown'), key, { mode: 0o644 });
  expect(await store.readable()).toEqual([]);
  expect(told).toHaveLength(1);
});

test('a file is read once, and again when its content or its mode has changed', async () => {
  const { directory, open } = await aStore();
  const told: string[] = [];
  const warn = (message: string) => void told.push(message);
  const store = createKeyStore({ directory, random: createSystemRandom(), log: { warn } });
  const [loaded, shown, half] = [await open().create(), `0x${'7'.repeat(64)}`, `0x${'8'.repeat(64)}`];
  expect(await store.load()).toEqual([loaded]);
  await writeFile(join(directory, 'shown'), shown, { mode: 0o644 });
  await writeFile(join(directory, 'half'), half.slice(0, 20), { mode: 0o600 });
  await writeFile(join(directory, 'zero'), `0x${'0'.repeat(64)}`, { mode: 0o600 });
  expect([await store.readable(), await store.readable()]).toEqual([[], []]);
  expect(told).toHaveLength(3);
  await chmod(join(directory, 'shown'), 0o600);
  await writeFile(join(directory, 'half'), half);
  expect([...(await store.readable())].sort()).toEqual([shown, half]);
  expect(await store.readable()).toEqual([]);
  expect(told).toHaveLength(3);
});

test('keys that an earlier version has created next to the database still exist', async () => {
  const { directory, open } = await aStore();
  const former = await open().create();
  const wallet = join(directory, '..', 'wallet');
  const store = createKeyStore({ directory: wallet, earlier: directory, random: createSystemRandom() });
  const made = await store.create();
  expect([...(await store.load())].sort()).toEqual([former, made].sort());
  expect(await readdir(wallet)).toHaveLength(1);
});

test.each(['wallet', 'keys'])(
  'what an earlier version has left unfinished does not stop a node with %s',
  async (own) => {
    const { directory, open } = await aStore();
    const former = await open().create();
    for (const name of ['3d5b8a52-2c1f-4b7e-9f60-1b0a4d7c9e11', '.unfinished']) {
      await writeFile(join(directory, name), '0x12', { mode: 0o600 });
    }
    const options = { directory: join(directory, '..', own), earlier: directory, random: createSystemRandom() };
    const store = createKeyStore(options);
    const made = await store.create();
    expect([...(await store.load())].sort()).toEqual([former, made].sort());
  },
);
