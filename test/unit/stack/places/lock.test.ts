import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import { withLock } from '../../../../src/stack/places/lock.js';
import { identify } from '../../../../src/supervisor/machine/identity.js';
import { aLayout, aPlace } from '../fixtures/place.js';

describe('A lock', () => {
  test('lets one in at a time, and all in the end', async () => {
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

  test('that is not free in time is refused, naming who has it', async () => {
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

  test('that changes hands is waited for, as often as it does', async () => {
    const path = aLayout(aPlace()).lock;
    const identity = await identify(process.pid);
    const write = (token: number): void => {
      writeFileSync(`${path}.next`, JSON.stringify({ ...identity, purpose: 'init', token: String(token) }));
      renameSync(`${path}.next`, path);
    };
    await mkdir(dirname(path), { recursive: true });
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

  test('of a process that is dead, or of an earlier boot, is taken over', async () => {
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
