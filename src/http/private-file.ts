import { lstat, readFile } from 'node:fs/promises';

/** Reads a file that must be private to its owner. @throws Error if others could have read or created it */
export async function readPrivateFile(path: string): Promise<string> {
  const entry = await lstat(path);
  const isOurs = entry.isFile() && entry.uid === process.getuid?.() && (entry.mode & 0o077) === 0;
  if (!isOurs) throw new Error(`${path}: expected a file of this user with mode 0600, so that nobody else has read it`);
  return readFile(path, 'utf8');
}
