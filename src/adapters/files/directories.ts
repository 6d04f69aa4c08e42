import { type FileHandle, open } from 'node:fs/promises';

/** Directories that stay open, since a program writes repeatedly into a few of them. */
export interface Directories {
  /**
   * Makes a directory's entries durable. Callers during a sync of the same directory share the next one, because the
   * running one may have missed their changes.
   */
  sync(path: string): Promise<void>;
  close(): Promise<void>;
}

export function createDirectories(): Directories {
  const handles = new Map<string, FileHandle>();
  const running = new Map<string, Promise<void>>();
  const next = new Map<string, Promise<void>>();

  async function syncNow(path: string): Promise<void> {
    const handle = handles.get(path) ?? (await open(path, 'r'));
    handles.set(path, handle);
    try {
      await handle.sync();
    } catch (cause) {
      // The next sync opens the directory again.
      handles.delete(path);
      await handle.close();
      throw cause;
    }
  }

  const start = (path: string): Promise<void> => {
    next.delete(path);
    const sync = syncNow(path).finally(() => running.delete(path));
    running.set(path, sync);
    return sync;
  };
  return {
    sync(path) {
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
    },
    async close() {
      for (const handle of handles.values()) await handle.close();
      handles.clear();
    },
  };
}
