import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { makeDirectory } from '../../../src/supervisor/files/private-file.js';

const folder = mkdtempSync(join(tmpdir(), 'parley-make-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

describe('making a directory', () => {
  it('creates missing parents too, only for this user, and accepts an existing one', async () => {
    const path = join(folder, 'a', 'b', 'c');
    await makeDirectory(path);
    await makeDirectory(path);
    expect(statSync(path).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, 'a')).mode & 0o777).toBe(0o700);
  });

  it('refuses below a file', async () => {
    writeFileSync(join(folder, 'file'), '');
    await expect(makeDirectory(join(folder, 'file'))).rejects.toMatchObject({ code: 'EEXIST' });
    await expect(makeDirectory(join(folder, 'file', 'a', 'b'))).rejects.toMatchObject({ code: 'ENOTDIR' });
  });

  it.runIf(existsSync('/proc/self'))('fails below a file system that allows no directories', async () => {
    await expect(makeDirectory('/proc/parley/a/b')).rejects.toMatchObject({ syscall: 'mkdir', code: 'ENOENT' });
  });
});
