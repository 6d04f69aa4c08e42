import { readdirSync, readlinkSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDirectories } from '../../../../src/adapters/files/directories.js';

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'directories-'));
});
afterEach(async () => {
  await rm(directory, { recursive: true });
});

describe('open directories', () => {
  it.runIf(process.platform === 'linux')('are opened once each for all syncs, and closed afterwards', async () => {
    const directories = createDirectories();
    await Promise.all([directories.sync(directory), directories.sync(directory), directories.sync(directory)]);
    await directories.sync(directory);
    expect(timesOpen(directory)).toBe(1);
    await directories.close();
    expect(timesOpen(directory)).toBe(0);
  });

  it('are looked up again if they did not exist', async () => {
    const directories = createDirectories();
    const later = join(directory, 'later');
    await expect(directories.sync(later)).rejects.toMatchObject({ code: 'ENOENT' });
    await mkdir(later);
    await expect(directories.sync(later)).resolves.toBeUndefined();
    await directories.close();
  });
});

/** Returns the number of open descriptors of this process on a directory. */
function timesOpen(path: string): number {
  return readdirSync('/proc/self/fd').filter((name) => {
    try {
      return readlinkSync(`/proc/self/fd/${name}`) === path;
    } catch {
      // The descriptor of this listing.
      return false;
    }
  }).length;
}
