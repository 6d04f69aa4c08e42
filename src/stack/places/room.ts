import { statfs } from 'node:fs/promises';
import { StackError } from '../error.js';
import type { Stack } from './locate.js';

/**
 * Checks the free space on a stack's disk before a start. `freedBytes` will be free by then.
 *
 * @throws StackError DISK_FULL
 */
export async function requireRoom(
  { layout, settings }: Pick<Stack, 'layout' | 'settings'>,
  freedBytes = 0,
): Promise<void> {
  const { bavail, bsize } = await statfs(layout.directory);
  const freeBytes = bavail * bsize + freedBytes;
  const { minFreeDisk } = settings.limits;
  if (freeBytes >= minFreeDisk) return;
  throw new StackError(
    'DISK_FULL',
    `The disk of this stack has ${inMebibytes(freeBytes)} free; a start needs ${inMebibytes(minFreeDisk)}.`,
    {
      hint: 'Free some space, or lower limits.minFreeDisk (bytes) in stack.yaml.',
      details: { freeBytes, minFreeDisk },
    },
  );
}

function inMebibytes(sizeBytes: number): string {
  return `${Math.floor(sizeBytes / 1_048_576)} MiB`;
}
