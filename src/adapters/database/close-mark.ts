import { readFile, stat, unlink, writeFile } from 'node:fs/promises';

/** A mark beside a database file that records the state of the file when this program closed it. */
export interface CloseMark {
  /**
   * Whether another process may have changed the file since; call it before the file is opened. True after a process
   * that was killed; false for a file that does not exist.
   */
  take(): Promise<boolean>;
  /** Writes the mark; call it when the file is closed. */
  leave(): Promise<void>;
}

/**
 * Creates the mark of a database. It is no defence against someone who changes the file on purpose: they can also write
 * a matching hash.
 */
export function createCloseMark(file: string): CloseMark {
  const mark = `${file}-closed`;

  async function describe(): Promise<string> {
    const { size, mtimeNs, ino } = await stat(file, { bigint: true });
    // A log beside the file holds rows that are not in the file yet.
    const logBytes = await stat(`${file}-wal`).then(
      (found) => found.size,
      () => 0,
    );
    return `${size} ${mtimeNs} ${ino} ${logBytes}\n`;
  }

  return {
    async take() {
      const actual = await describe().catch(() => undefined);
      const left = await readFile(mark, 'utf8').catch(() => undefined);
      // Removed now, because the first write makes it invalid.
      if (left !== undefined) await unlink(mark);
      return actual !== undefined && actual !== left;
    },
    async leave() {
      // Fails on a full disk, for example; the next start then compares more.
      await describe()
        .then((text) => writeFile(mark, text, { mode: 0o600 }))
        .catch(() => undefined);
    },
  };
}
