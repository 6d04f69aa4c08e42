import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { exists } from '../supervisor/machine/directory.js';
import { makeDirectory } from '../supervisor/files/private-file.js';
import { connectControl } from './control/control.js';
import { dropDatabases } from './engines/external-database.js';
import { recordedSocket, removeSocket } from './control/control-socket.js';
import type { LocatedStack } from './places/locate.js';
import { withLock } from './places/lock.js';
import { changeRegistry, without } from './places/registry.js';
import { snapshotNames } from './snapshot/places.js';
import { exportSnapshot } from './snapshot/transfer.js';
import { killStack, type SilenceListener } from './cleaning/stale.js';
import { readStackFile } from './definition/stack-file.js';
import { stopUnlocked } from './running/stop.js';

export interface RemoveOptions {
  /** Kill processes instead of stopping them, and leave what is in PostgreSQL. */
  readonly force?: boolean;
  /** Write each snapshot, with the keys that it needs, to an archive beside the stacks first. */
  readonly keepSnapshots?: boolean;
  readonly onSilent?: SilenceListener;
}

export interface RemoveResult {
  readonly removed: readonly string[];
  /** Processes and paths that could not be removed. */
  readonly leftovers: readonly string[];
  /** The archives of its snapshots. */
  readonly kept: readonly string[];
}

/**
 * Deletes a stack: its processes, identified by more than their pids, its socket, its directory, and its registry entry
 * with its ports. Works even with an unreadable definition. A project's `stack.yaml` is kept.
 *
 * @throws StackError LOCKED; as `dropDatabases` and `exportSnapshot`, before anything is deleted
 */
export async function removeStack(stack: LocatedStack, options: RemoveOptions = {}): Promise<RemoveResult> {
  const { layout, name, place } = stack;
  const kept = options.keepSnapshots === true ? await keepSnapshots(stack) : [];
  const leftovers = await withLock(layout.lock, 'remove', async () => {
    const alive = options.force === true ? await endNow(stack) : await endInOrder(stack, options);
    if (alive.length > 0) return alive;
    if (options.force !== true) await dropDatabasesOf(stack);
    await removeSocket((await recordedSocket(layout)) ?? layout.socket);
    await removeSocket(layout.viewSocket);
    return tryRemove(layout.directory);
  });
  if (leftovers.length > 0) return { removed: [], leftovers, kept };
  await changeRegistry(place, (registry) => without(registry, name));
  return { removed: [name], leftovers: [], kept };
}

/** Exports every snapshot: without the keys of the stack, which are deleted, none could be restored. */
async function keepSnapshots(stack: LocatedStack): Promise<readonly string[]> {
  const directory = join(stack.place.home, 'kept');
  const kept: string[] = [];
  for (const snapshot of await snapshotNames(stack.layout)) {
    await makeDirectory(directory);
    kept.push(await exportSnapshot(stack, snapshot, await freePath(join(directory, `${stack.name}-${snapshot}`))));
  }
  return kept;
}

/** A stack of the same name may have been removed before. */
async function freePath(beginning: string): Promise<string> {
  for (let count = 1; ; count++) {
    const path = `${beginning}${count === 1 ? '' : `-${count}`}.tar.gz`;
    if (!(await exists(path))) return path;
  }
}

/** A definition that cannot be read names no databases. */
async function dropDatabasesOf({ definitionFile, name }: LocatedStack): Promise<void> {
  const settings = await readStackFile(definitionFile).catch(() => undefined);
  if (settings !== undefined) await dropDatabases({ ...settings, name });
}

async function endInOrder(stack: LocatedStack, { onSilent }: RemoveOptions): Promise<readonly string[]> {
  try {
    await stopUnlocked(stack, { onSilent });
    return [];
  } catch {
    // Processes that do not stop are killed; those that cannot be killed are reported.
    return endNow(stack);
  }
}

async function endNow(stack: LocatedStack): Promise<string[]> {
  const leftovers = await killStack(stack);
  const control = await connectControl(stack.layout, { anyVersion: true });
  if (control === undefined) return leftovers;
  return control.stop().then(
    () => leftovers,
    () => [...leftovers, 'supervisor'],
  );
}

async function tryRemove(path: string): Promise<string[]> {
  try {
    await rm(path, { recursive: true, force: true, maxRetries: 3 });
    return [];
  } catch {
    return [path];
  }
}
