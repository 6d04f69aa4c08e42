import type { Files } from '../ports/files.js';
import type { Log } from '../ports/log.js';

export const defaultMinFreeBytes = 268_435_456;

export interface RoomParts {
  readonly files: Files;
  /** File name of the database. */
  readonly file: string;
  readonly minFreeBytes: number;
  readonly log: Log;
}

/**
 * Checks the free disk space before a node starts. A node with an existing database starts in any case: reads work, and
 * writes are answered with 507.
 *
 * @throws Error if there is too little space for a new database
 */
export async function requireRoom({ files, file, minFreeBytes, log }: RoomParts): Promise<void> {
  const freeBytes = await files.freeBytes();
  if (freeBytes >= minFreeBytes) return;
  if ((await files.size(file)) !== undefined) {
    log.warn('The disk is almost full', { freeBytes, minFreeBytes });
    return;
  }
  throw new Error(
    `The disk has ${inMebibytes(freeBytes)} free, and a node begins with at least ${inMebibytes(minFreeBytes)}. ` +
      'Free some space, or lower limits.minFreeDisk.',
  );
}

function inMebibytes(sizeBytes: number): string {
  return `${Math.floor(sizeBytes / 1_048_576)} MiB`;
}
