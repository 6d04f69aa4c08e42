import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** A file system with little space. */
export interface SmallDisk {
  readonly directory: string;
  remove(): Promise<void>;
}

const run = promisify(execFile);

/** Mounts a file system in memory; undefined without the permission to do so. */
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

/** The reason shown when a test skips without a small disk. */
export const noSmallDisk = 'skipped: no right to mount a small file system';
