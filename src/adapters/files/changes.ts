import assert from 'node:assert/strict';
import { constants } from 'node:fs';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { FileNotFound } from '../../ports/files.js';
import { assertName, directoryOf } from './name.js';

export type Edit = 'replace' | 'append' | 'cut';

/** The files below one root that have been changed and are not yet synced. */
export interface Changes {
  /** A handle that writes at the end. It stays open until the file is synced or forgotten. */
  edit(name: string, edit: Edit): Promise<FileHandle>;
  sync(name: string): Promise<void>;
  /** Makes the directory entry of a name durable, with its absence if it is not there. */
  syncEntry(name: string): Promise<void>;
  makeDirectory(name: string): Promise<void>;
  isSynced(name: string): boolean;
  /** The name is gone or is another file now. */
  forget(name: string): Promise<void>;
  close(): Promise<void>;
}

const { O_APPEND, O_CREAT, O_TRUNC, O_WRONLY } = constants;
const flags = {
  replace: O_WRONLY | O_APPEND | O_CREAT | O_TRUNC,
  append: O_WRONLY | O_APPEND | O_CREAT,
  cut: O_WRONLY | O_APPEND,
};
const fileMode = 0o600;
export const directoryMode = 0o700;

/**
 * Keeps the handle that wrote until the sync, because an error of the system's late write is reported to that handle. A
 * name whose sync failed stays unsynced until it is replaced: the system may have dropped what it could not write.
 */
export function createChanges(root: string): Changes {
  const changed = new Map<string, { readonly handle: FileHandle; readonly isWhole: boolean }>();
  const failed = new Set<string>();
  const journal = createKept();
  /** Directories (`name/`) and names that are appended to (a few journals), whose entries are known to be durable. */
  const durableEntries = new Set<string>();
  const syncDirectory = createDirectorySync();

  async function forget(name: string): Promise<void> {
    await journal.take(name)?.close();
    const change = changed.get(name);
    changed.delete(name);
    failed.delete(name);
    durableEntries.delete(name);
    await change?.handle.close();
  }

  async function makeDirectory(name: string): Promise<void> {
    const directory = directoryOf(name);
    if (durableEntries.has(`${directory}/`)) return;
    await mkdir(join(root, directory), { recursive: true, mode: directoryMode });
  }

  async function edit(name: string, how: Edit): Promise<FileHandle> {
    assertName(name);
    const kept = changed.get(name);
    if (kept !== undefined && how !== 'replace') return kept.handle;
    if (how === 'replace') await forget(name);
    if (how !== 'cut') await makeDirectory(name);
    const handle = journal.take(name) ?? (await openFile(root, name, flags[how]));
    changed.set(name, { handle, isWhole: how === 'replace' });
    return handle;
  }

  async function syncEntry(name: string): Promise<void> {
    const directory = directoryOf(name);
    await syncDirectory(join(root, directory));
    if (durableEntries.has(`${directory}/`)) return;
    if (directory === '') await syncDirectory(join(root, '..'));
    else await syncEntry(directory);
    durableEntries.add(`${directory}/`);
  }

  async function sync(name: string): Promise<void> {
    assertName(name);
    assert(!failed.has(name), 'a file whose sync has failed is replaced before it is synced again');
    const change = changed.get(name) ?? { handle: await openFile(root, name, constants.O_RDONLY), isWhole: true };
    changed.delete(name);
    failed.add(name);
    await syncOrClose(change.handle);
    if (change.isWhole) await change.handle.close();
    else await journal.keep(name, change.handle);
    if (!durableEntries.has(name)) await syncEntry(name);
    if (!change.isWhole) durableEntries.add(name);
    failed.delete(name);
  }

  return {
    edit,
    sync,
    syncEntry,
    makeDirectory,
    forget,
    isSynced: (name) => !changed.has(name) && !failed.has(name),
    async close() {
      await journal.take()?.close();
      for (const name of [...changed.keys()]) await forget(name);
    },
  };
}

async function syncOrClose(handle: FileHandle): Promise<void> {
  try {
    await handle.datasync();
  } catch (cause) {
    await handle.close();
    throw cause;
  }
}

/** The file that was appended to and synced last stays open: a journal gets its next entry soon. */
interface Kept {
  /** Its open handle, if it is the one of this name; whoever takes it has to close it. */
  take(name?: string): FileHandle | undefined;
  /** From now on it is this one; the one before is closed. */
  keep(name: string, handle: FileHandle): Promise<void>;
}

function createKept(): Kept {
  let kept: { readonly name: string; readonly handle: FileHandle } | undefined;

  function take(name?: string): FileHandle | undefined {
    if (kept === undefined || (name !== undefined && name !== kept.name)) return undefined;
    const { handle } = kept;
    kept = undefined;
    return handle;
  }

  return {
    take,
    async keep(name, handle) {
      const before = take();
      kept = { name, handle };
      await before?.close();
    },
  };
}

/** @throws FileNotFound */
export async function openFile(root: string, name: string, flag: number): Promise<FileHandle> {
  try {
    return await open(join(root, name), flag, fileMode);
  } catch (cause) {
    throw isAbsent(cause) ? new FileNotFound(name, { cause }) : cause;
  }
}

/** Whether the operating system said that a file or directory does not exist. */
export function isAbsent(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
}

/**
 * Returns the function that makes a directory's entries durable. Callers that come while a sync of the same directory
 * runs share the next one, because the running one may have missed what they did.
 */
function createDirectorySync(): (path: string) => Promise<void> {
  const running = new Map<string, Promise<void>>();
  const next = new Map<string, Promise<void>>();
  const start = (path: string): Promise<void> => {
    next.delete(path);
    const sync = syncNow(path).finally(() => running.delete(path));
    running.set(path, sync);
    return sync;
  };
  return (path) => {
    const before = running.get(path);
    if (before === undefined) return start(path);
    const after =
      next.get(path) ??
      before.then(
        () => start(path),
        () => start(path),
      );
    next.set(path, after);
    return after;
  };
}

async function syncNow(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
