import assert from 'node:assert/strict';
import { constants } from 'node:fs';
import { mkdir, readdir, rename, stat, statfs, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { FileNotFound, type Files } from '../../ports/files.js';
import { createChanges, directoryMode, isAbsent, openFile } from './changes.js';
import { assertName } from './name.js';

const readChunkBytes = 262_144;

/**
 * Creates `Files` on the operating system's files below `root`, which is created at the first write. Calls that change
 * the same name must be sequential; different names are independent.
 */
export function createDiskFiles({ root }: { readonly root: string }): Files {
  const changes = createChanges(root);
  const pathOf = (name: string): string => {
    assertName(name);
    return join(root, name);
  };

  return {
    read: (name, range = {}) => readRange(root, name, range.start ?? 0, range.end ?? Infinity),

    async size(name) {
      const found = await orAbsent(stat(pathOf(name)));
      return found?.size;
    },

    async write(name, bytes) {
      const handle = await changes.edit(name, 'replace');
      for await (const chunk of bytes) await handle.writeFile(chunk);
    },

    async append(name, bytes) {
      const handle = await changes.edit(name, 'append');
      await handle.writeFile(bytes);
    },

    async truncate(name, sizeBytes) {
      const handle = await changes.edit(name, 'cut');
      await handle.truncate(sizeBytes);
    },

    sync: (name) => changes.sync(name),

    syncContent: (name) => changes.syncContent(name),

    async rename(from, to) {
      assert(changes.isSynced(from), 'a file is synced before it is renamed');
      const [source, target] = [pathOf(from), pathOf(to)];
      await changes.forget(to);
      await changes.makeDirectory(to);
      const moved = await orAbsent(rename(source, target).then(() => true));
      if (moved !== true) throw new FileNotFound(from);
      await changes.forget(from);
      // A rename is atomic in the file system: once the new entry is durable, the old one is durably gone.
      await changes.syncEntry(to);
    },

    async remove(name) {
      const path = pathOf(name);
      await changes.forget(name);
      await orAbsent(unlink(path));
    },

    async list(directory) {
      return listFiles(directory === '' ? root : pathOf(directory));
    },

    async freeBytes() {
      let found = await orAbsent(statfs(root));
      if (found === undefined) {
        await mkdir(root, { recursive: true, mode: directoryMode });
        found = await statfs(root);
      }
      return found.bavail * found.bsize;
    },

    close: () => changes.close(),
  };
}

async function listFiles(path: string): Promise<string[]> {
  const entries = await orAbsent(readdir(path, { withFileTypes: true }));
  const names = (entries ?? []).filter((entry) => entry.isFile()).map((entry) => entry.name);
  return names.sort();
}

async function* readRange(root: string, name: string, start: number, end: number): AsyncGenerator<Uint8Array> {
  assertName(name);
  const handle = await openFile(root, name, constants.O_RDONLY);
  try {
    for (let position = start; position < end;) {
      const wantedBytes = Math.min(readChunkBytes, end - position);
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(wantedBytes), 0, wantedBytes, position);
      if (bytesRead === 0) return;
      position += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}

async function orAbsent<Result>(result: Promise<Result>): Promise<Result | undefined> {
  try {
    return await result;
  } catch (cause) {
    if (isAbsent(cause)) return undefined;
    throw cause;
  }
}
