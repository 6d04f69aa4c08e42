import { type FileHandle, mkdir, mkdtemp, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createPrivateFile, writePrivateFile } from '../../../../src/supervisor/files/private-file.js';

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

test('a name is durable when its file is: the directory is synced after it', async () => {
  const synced = await watchSyncs();
  await writePrivateFile(join(directory, 'key'), 'replaced');
  expect(synced.splice(0)).toEqual(['file', 'directory']);
  await createPrivateFile(join(directory, 'new'), 'created');
  expect(synced).toEqual(['file', 'directory']);
});

test('an existing file is not created again', async () => {
  const path = join(directory, 'key');
  await createPrivateFile(path, 'the first');
  await expect(createPrivateFile(path, 'the second')).rejects.toMatchObject({ code: 'EEXIST' });
  expect(await readFile(path, 'utf8')).toBe('the first');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

/** Records what is synced, in order, until the test ends. */
async function watchSyncs(): Promise<string[]> {
  const synced: string[] = [];
  const handle = await open(directory, 'r');
  const prototype = Object.getPrototypeOf(handle) as FileHandle;
  await handle.close();
  const original = prototype.sync;
  const spy = vi.spyOn(prototype, 'sync').mockImplementation(async function (this: FileHandle) {
    synced.push((await this.stat()).isDirectory() ? 'directory' : 'file');
    return original.call(this);
  });
  onTestFinished(() => spy.mockRestore());
  return synced;
}

test('a file that cannot be put in place leaves no copy of its bytes', async () => {
  const taken = join(directory, 'key');
  await mkdir(taken);
  await expect(writePrivateFile(taken, 'a secret')).rejects.toThrow();
  expect(await readdir(directory)).toEqual(['key']);
});

test('an error of the disk names the file by its final name', async () => {
  const handle = await open(directory, 'r');
  const prototype = Object.getPrototypeOf(handle) as FileHandle;
  await handle.close();
  const full = () => Promise.reject(Object.assign(new Error('ENOSPC: no space'), { code: 'ENOSPC', syscall: 'write' }));
  const spy = vi.spyOn(prototype, 'writeFile').mockImplementation(full);
  onTestFinished(() => spy.mockRestore());
  const path = join(directory, 'key');
  await expect(writePrivateFile(path, 'text')).rejects.toMatchObject({ code: 'ENOSPC', path });
  await expect(createPrivateFile(path, 'text')).rejects.toMatchObject({ code: 'ENOSPC', path });
});
