import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { namesIn } from '../../supervisor/machine/directory.js';
import { nearestHint } from '../../wire/lists/query.js';
import { StackError } from '../error.js';
import type { Layout } from '../layout.js';

/** Prefix of directories that are being built or deleted; no snapshot's name begins with it. */
export const unfinishedPrefix = '.';

const snapshotName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** Returns a valid name of a snapshot. @throws StackError NAME_INVALID */
export function requireSnapshotName(name: string): string {
  if (snapshotName.test(name)) return name;
  throw new StackError('NAME_INVALID', `A snapshot cannot be named "${name}".`, {
    hint: 'Names begin with a letter or digit and have at most 64 of A-Z a-z 0-9 . _ -.',
    details: { name },
  });
}

export function snapshotDirectory(layout: Layout, name: string): string {
  return join(layout.snapshots, requireSnapshotName(name));
}

/** The names of the snapshots of a stack, without unfinished ones. */
export async function snapshotNames(layout: Layout): Promise<readonly string[]> {
  const entries = await namesIn(layout.snapshots);
  return entries.filter((name) => snapshotName.test(name)).sort();
}

/** The directory of an existing snapshot. @throws StackError SNAPSHOT_NOT_FOUND, NAME_INVALID */
export async function requireSnapshot(layout: Layout, name: string): Promise<string> {
  const directory = snapshotDirectory(layout, name);
  const names = await snapshotNames(layout);
  if (names.includes(name)) return directory;
  throw new StackError('SNAPSHOT_NOT_FOUND', `There is no snapshot ${name}${nearestHint(name, names)}`, {
    hint: names.length === 0 ? `Save one: stack snapshot save ${name}` : 'List the snapshots: stack snapshot list',
    details: { name, names },
  });
}

/**
 * The directory for a new snapshot; `flag` says how to choose another name.
 *
 * @throws StackError NAME_EXISTS, NAME_INVALID
 */
export async function requireFreeName(layout: Layout, name: string, flag = ''): Promise<string> {
  const directory = snapshotDirectory(layout, name);
  if (!(await snapshotNames(layout)).includes(name)) return directory;
  throw new StackError('NAME_EXISTS', `The snapshot ${name} already exists.`, {
    hint: `Choose another name${flag}, or remove it: stack snapshot remove ${name}`,
    details: { name },
  });
}

/** Whether a killed command has left a directory with this prefix. */
export async function hasUnfinished(directory: string, prefix: string): Promise<boolean> {
  return (await namesIn(directory)).some((each) => each.startsWith(prefix));
}

/** Removes the directories that killed commands have left. Call it under the lock of the stack. */
export async function removeUnfinished(directory: string, prefix = unfinishedPrefix): Promise<void> {
  const entries = await namesIn(directory);
  for (const name of entries.filter((each) => each.startsWith(prefix))) {
    await rm(join(directory, name), { recursive: true, force: true });
  }
}
