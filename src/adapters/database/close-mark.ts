import { readFile, stat, unlink, writeFile } from 'node:fs/promises';

/** Remembers beside a database how its file was when this program closed it. */
export interface CloseMark {
  /**
   * Whether somebody else may have changed the file since; to be called before it is opened. After a process that was
   * killed nobody knows. A file that does not exist was changed by nobody.
   */
  take(): Promise<boolean>;
  /** To be called when the file is closed. */
  leave(): Promise<void>;
}

/** The mark of a database. Whoever changes a file and hides that can also write fitting hashes: there is no defence. */
export function createCloseMark(file: string): CloseMark {
  const mark = `${file}-closed`;

  async function describe(): Promise<string> {
    const { size, mtimeNs, ino } = await stat(file, { bigint: true });
    // A log beside the file has rows that are not in the file yet.
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
      // From the first write on it says nothing any more.
      if (left !== undefined) await unlink(mark);
      return actual !== undefined && actual !== left;
    },
    async leave() {
      // On a full disk, for one: then the next life compares more.
      await describe()
        .then((text) => writeFile(mark, text, { mode: 0o600 }))
        .catch(() => undefined);
    },
  };
}
