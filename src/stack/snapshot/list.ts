import { randomBytes } from 'node:crypto';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { LocatedStack } from '../places/locate.js';
import { withLock } from '../places/lock.js';
import { syncDirectory } from '../../supervisor/files/private-file.js';
import { StackError } from '../error.js';
import { type Manifest, readManifest } from './manifest.js';
import { removeUnfinished, requireSnapshot, snapshotDirectory, snapshotNames, unfinishedPrefix } from './places.js';

export interface ListedSnapshot {
  readonly name: string;
  readonly directory: string;
  /** Undefined if it cannot be read; `problem` says why. */
  readonly manifest: Manifest | undefined;
  readonly problem: string | undefined;
}

/** The snapshots of a stack, oldest first, then those that cannot be read. Unfinished ones are not listed. */
export async function listSnapshots({ layout }: LocatedStack): Promise<readonly ListedSnapshot[]> {
  const names = await snapshotNames(layout);
  const listed = await Promise.all(names.map((name) => describe(name, snapshotDirectory(layout, name))));
  const timeOf = ({ manifest }: ListedSnapshot) => manifest?.savedAt ?? '~';
  return listed.toSorted((a, b) => (timeOf(a) < timeOf(b) ? -1 : 1));
}

async function describe(name: string, directory: string): Promise<ListedSnapshot> {
  try {
    return { name, directory, manifest: await readManifest(directory, name), problem: undefined };
  } catch (error) {
    if (!(error instanceof StackError)) throw error;
    return { name, directory, manifest: undefined, problem: error.message };
  }
}

/** The size of a snapshot's files in bytes, including files that it shares with the stack. */
export function sizeOf({ files }: Manifest): number {
  return Object.values(files).reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
}

/** Removes a snapshot, by a rename first. @throws StackError SNAPSHOT_NOT_FOUND, NAME_INVALID, LOCKED */
export async function removeSnapshot({ layout }: LocatedStack, name: string): Promise<void> {
  await withLock(layout.lock, 'snapshot remove', async () => {
    const directory = await requireSnapshot(layout, name);
    const trash = join(layout.snapshots, `${unfinishedPrefix}trash-${randomBytes(6).toString('hex')}`);
    await rename(directory, trash);
    await syncDirectory(layout.snapshots);
    await rm(trash, { recursive: true, force: true });
    await removeUnfinished(layout.snapshots);
  });
}
