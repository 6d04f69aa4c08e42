import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** A file system of its own with little room. */
export interface SmallDisk {
  readonly directory: string;
  remove(): Promise<void>;
}

const run = promisify(execFile);

/** Makes one in memory; undefined where this user may not, which a test says when it skips. */
export async function openSmallDisk(sizeKibibytes: number): Promise<SmallDisk | undefined> {
  const directory = await mkdtemp(join(tmpdir(), 'small-disk-'));
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${sizeKibibytes}k`, 'tmpfs', directory]);
  } catch {
    await rm(directory, { recursive: true });
    return undefined;
  }
  return {
    directory,
    async remove() {
      await run('umount', [directory]);
      await rm(directory, { recursive: true });
    },
  };
}

/** The reason with which a test skips that needs a small disk. */
export const noSmallDisk = 'skipped: no right to mount a small file system';
