import assert from 'node:assert/strict';
import { constants } from 'node:fs';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { FileNotFound } from '../../ports/files.js';
import { createDirectories } from './directories.js';
import { assertName, directoryOf } from './name.js';

export type Edit = 'replace' | 'append' | 'cut';

/** The files below a root that were changed and are not synced yet. */
export interface Changes {
  /** Returns a handle that appends. It stays open until the file is synced or forgotten. */
  edit(name: string, edit: Edit): Promise<FileHandle>;
  sync(name: string): Promise<void>;
  /** Syncs the bytes alone, not the name. */
  syncContent(name: string): Promise<void>;
  /** Makes the directory entry of a name durable, or the absence of an entry. */
  syncEntry(name: string): Promise<void>;
  makeDirectory(name: string): Promise<void>;
  isSynced(name: string): boolean;
  /** Forgets a name that was removed or replaced. */
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
 * Creates the record of changes. The handle that wrote is kept until the sync, because the system reports an error of a
 * late write to that handle. A name whose sync failed stays unsynced until it is replaced: the system may have dropped
 * the data.
 */
export function createChanges(root: string): Changes {
  const changed = new Map<string, { readonly handle: FileHandle; readonly isWhole: boolean }>();
  const failed = new Set<string>();
  const journal = createKept();
  const entries = createEntries(root);

  async function forget(name: string): Promise<void> {
    await journal.take(name)?.close();
    const change = changed.get(name);
    changed.delete(name);
    failed.delete(name);
    entries.forget(name);
    await change?.handle.close();
  }

  async function edit(name: string, how: Edit): Promise<FileHandle> {
    assertName(name);
    const kept = changed.get(name);
    if (kept !== undefined && how !== 'replace') return kept.handle;
    if (how === 'replace') await forget(name);
    const handle = journal.take(name) ?? (await openToEdit(root, name, how, entries));
    changed.set(name, { handle, isWhole: how === 'replace' });
    return handle;
  }

  async function syncContent(name: string): Promise<{ readonly isWhole: boolean }> {
    assertName(name);
    assert(!failed.has(name), 'a file whose sync has failed is replaced before it is synced again');
    const isWhole = await syncBytes(name);
    failed.delete(name);
    return { isWhole };
  }

  async function sync(name: string): Promise<void> {
    const { isWhole } = await syncContent(name);
    failed.add(name);
    await entries.syncName(name, { isKept: !isWhole });
    failed.delete(name);
  }

  /** The sync counts as failed until its caller says otherwise. */
  async function syncBytes(name: string): Promise<boolean> {
    const change = changed.get(name) ?? { handle: await openFile(root, name, constants.O_RDONLY), isWhole: true };
    changed.delete(name);
    failed.add(name);
    await syncOrClose(change.handle);
    if (change.isWhole) await change.handle.close();
    else await journal.keep(name, change.handle);
    return change.isWhole;
  }

  return {
    edit,
    sync,
    async syncContent(name) {
      await syncContent(name);
    },
    syncEntry: entries.sync,
    makeDirectory: entries.makeDirectory,
    forget,
    isSynced: (name) => !changed.has(name) && !failed.has(name),
    async close() {
      await journal.take()?.close();
      for (const name of [...changed.keys()]) await forget(name);
      await entries.close();
    },
  };
}

type Entries = ReturnType<typeof createEntries>;

/** Records which entries below a root are durable, and makes others durable. */
function createEntries(root: string) {
  /** Directories (`name/`) and appended names (a few journals) whose entries are known to be durable. */
  const durable = new Set<string>();
  const directories = createDirectories();

  async function sync(name: string): Promise<void> {
    const directory = directoryOf(name);
    await directories.sync(join(root, directory));
    if (durable.has(`${directory}/`)) return;
    if (directory === '') await directories.sync(join(root, '..'));
    else await sync(directory);
    durable.add(`${directory}/`);
  }

  return {
    sync,
    /** Syncs the entry of a file unless it is known to be durable. With `isKept` it is known from then on. */
    async syncName(name: string, { isKept }: { readonly isKept: boolean }): Promise<void> {
      if (!durable.has(name)) await sync(name);
      if (isKept) durable.add(name);
    },
    async makeDirectory(name: string): Promise<void> {
      const directory = directoryOf(name);
      if (durable.has(`${directory}/`)) return;
      await mkdir(join(root, directory), { recursive: true, mode: directoryMode });
    },
    forget: (name: string) => void durable.delete(name),
    close: directories.close,
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

/** The handle of the last file that was appended to and synced, since a journal soon gets its next entry. */
interface Kept {
  /** Returns the open handle, if it is that of this name; the caller must close it. */
  take(name?: string): FileHandle | undefined;
  /** Keeps this handle and closes the previous one. */
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

/** Opens a file to be changed. Its directory nearly always exists, so it is created only if opening the file fails. */
async function openToEdit(root: string, name: string, how: Edit, entries: Entries): Promise<FileHandle> {
  try {
    return await openFile(root, name, flags[how]);
  } catch (error) {
    if (how === 'cut' || !(error instanceof FileNotFound)) throw error;
  }
  await entries.makeDirectory(name);
  return openFile(root, name, flags[how]);
}

/** @throws FileNotFound */
export async function openFile(root: string, name: string, flag: number): Promise<FileHandle> {
  try {
    return await open(join(root, name), flag, fileMode);
  } catch (cause) {
    throw isAbsent(cause) ? new FileNotFound(name, { cause }) : cause;
  }
}

/** Whether an error means that a file or directory does not exist. */
export function isAbsent(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
}
