import { renameSync, rmSync, symlinkSync } from 'node:fs';
import { mkdir, readdir, readlink, symlink, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import { withLock } from '../../../../src/stack/places/lock.js';
import { aLayout, aPlace } from '../fixtures/place.js';

describe('A lock', () => {
  test('runs one holder at a time, and all of them in the end', async () => {
    const path = aLayout(aPlace()).lock;
    let inside = 0;
    let most = 0;
    let done = 0;
    const work = async (): Promise<void> => {
      inside += 1;
      most = Math.max(most, inside);
      await new Promise((resolve) => setImmediate(resolve));
      inside -= 1;
      done += 1;
    };
    await Promise.all(Array.from({ length: 8 }, () => withLock(path, 'test', work)));
    expect([most, done]).toEqual([1, 8]);
    expect(await readdir(dirname(path))).toEqual([]);
  });

  test('is refused with its holder if it is not free in time', async () => {
    const path = aLayout(aPlace()).lock;
    await withLock(path, 'start', async () => {
      await expect(
        withLock(
          path,
          'stop',
          () => Promise.resolve(),
          () => 60,
        ),
      ).rejects.toMatchObject({
        code: 'LOCKED',
        details: { pid: process.pid, purpose: 'start' },
      });
    });
  });

  test('is waited for anew whenever its holder changes', async () => {
    const path = aLayout(aPlace()).lock;
    await mkdir(dirname(path), { recursive: true });
    const first = await withLock(path, 'init', () => readlink(path));
    const [pid, life] = first.split(':');
    const write = (token: number): void => {
      symlinkSync([pid, life, token, 'init'].join(':'), `${path}.next`);
      renameSync(`${path}.next`, path);
    };
    write(0);
    let holders = 0;
    const limitOf = (): number => {
      holders += 1;
      if (holders < 20) write(holders);
      else rmSync(path);
      return 60;
    };
    expect(await withLock(path, 'init', () => Promise.resolve('in'), limitOf)).toBe('in');
    expect(holders).toBe(20);
  });

  test.each(['nonsense', '1:2:3:4', `${process.pid}:earlier:00000000:start`])(
    'of the dead holder "%s" is taken over',
    async (claim) => {
      const path = aLayout(aPlace()).lock;
      await mkdir(dirname(path), { recursive: true });
      await symlink(claim, path);
      expect(await withLock(path, 'test', () => Promise.resolve('in'))).toBe('in');
      expect(await readdir(dirname(path))).toEqual([]);
    },
  );

  test('of a dead holder is taken over by one of many, one at a time', async () => {
    const path = aLayout(aPlace()).lock;
    await mkdir(dirname(path), { recursive: true });
    let inside = 0;
    let most = 0;
    const work = async (): Promise<void> => {
      inside += 1;
      most = Math.max(most, inside);
      await new Promise((resolve) => setTimeout(resolve, 1));
      inside -= 1;
    };
    for (let round = 0; round < 40; round++) {
      await symlink(`${process.pid}:earlier:${round}:start`, path);
      await Promise.all(Array.from({ length: 4 }, () => withLock(path, 'test', work)));
    }
    expect(most).toBe(1);
    expect(await readdir(dirname(path))).toEqual([]);
  });

  test('fits into an inode, so that it needs no block of a full disk', async () => {
    const path = aLayout(aPlace()).lock;
    const target = await withLock(path, 'export kubernetes', () => readlink(path));
    // ext4 keeps up to 59 bytes in the inode; a pid may have three digits more than this one.
    expect(target.length).toBeLessThan(59 - 3);
  });

  test('in the form of an earlier version is taken over if its process is dead', async () => {
    const path = aLayout(aPlace()).lock;
    await mkdir(dirname(path), { recursive: true });
    const holder = { pid: process.pid, started: '1', boot: 'earlier', purpose: 'start', token: 'x' };
    await writeFile(path, JSON.stringify(holder));
    expect(await withLock(path, 'test', () => Promise.resolve('in'))).toBe('in');
  });

  test('is free again after work that failed', async () => {
    const path = aLayout(aPlace()).lock;
    await expect(withLock(path, 'test', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await withLock(path, 'test', () => Promise.resolve('in'))).toBe('in');
  });
});
