import { randomBytes } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Replaces a file as a whole: temporary name, bytes, sync, rename, sync of the directory. Readers see the old or the
 * new one, also after a power cut, and at no moment can anybody but its owner read it (mode 0600). When it fails
 * nothing is left beside the old one.
 */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  const temporary = `${path}.${process.pid}.${randomBytes(4).toString('hex')}.tmp`;
  try {
    await createSynced(temporary, text);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncDirectory(dirname(path));
}

/** Creates a file that only its owner can read, with its name on disk as well. @throws Error EEXIST when it is there */
export async function createPrivateFile(path: string, text: string): Promise<void> {
  await createSynced(path, text);
  await syncDirectory(dirname(path));
}

/** Makes the names in a directory durable: only then is a new or renamed file there after a power cut. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

async function createSynced(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}
