import { randomBytes } from 'node:crypto';
import { chmod, mkdir, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/**
 * Replaces a file atomically: temporary name, bytes, sync, rename, sync of the directory. Readers see the old or the
 * new content, even after a power cut, and only its owner can ever read it (mode 0600). A failure leaves nothing beside
 * the old file; a killed process may leave a file whose name begins with a dot.
 */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  await replaceWhole(path, text, ownerOnly);
}

/**
 * Replaces a user's file in the same way, keeping its mode and a symbolic link to it. A missing file is created as a
 * private one.
 */
export async function rewriteFile(path: string, text: string): Promise<void> {
  const target = await realpath(path).catch(() => path);
  const mode = await stat(target).then(
    (entry) => entry.mode & 0o777,
    () => ownerOnly,
  );
  await replaceWhole(target, text, mode);
}

const ownerOnly = 0o600;

async function replaceWhole(path: string, text: string, mode: number): Promise<void> {
  const name = `.${basename(path)}.${process.pid}.${randomBytes(4).toString('hex')}.tmp`;
  const temporary = join(dirname(path), name);
  try {
    await createSynced(temporary, text, path);
    if (mode !== ownerOnly) await chmod(temporary, mode);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncDirectory(dirname(path));
}

/** Creates a file that only its owner can read, and syncs its directory entry. @throws Error EEXIST if it exists */
export async function createPrivateFile(path: string, text: string): Promise<void> {
  await createSynced(path, text, path);
  await syncDirectory(dirname(path));
}

/** Makes the entries of a directory durable: only then does a new or renamed file survive a power cut. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

/** `shownPath` is the path for error messages. */
async function createSynced(path: string, text: string, shownPath: string): Promise<void> {
  const file = await open(path, 'wx', ownerOnly);
  try {
    await file.writeFile(text);
    await file.sync();
  } catch (error) {
    // The system's error about an open file, such as a full disk, names no path.
    throw error instanceof Error ? Object.assign(error, { path: shownPath }) : error;
  } finally {
    await file.close();
  }
}

/**
 * Creates a directory for this user only, with missing parents.
 *
 * The platform's recursive `mkdir` never returns below a directory that takes no entries, such as `/proc`.
 */
export async function makeDirectory(path: string): Promise<void> {
  if (await tryMake(path)) return;
  const parent = dirname(path);
  if (parent !== path) await makeDirectory(parent);
  await mkdirOnce(path);
}

/** Returns false if a parent directory is missing. */
async function tryMake(path: string): Promise<boolean> {
  try {
    await mkdirOnce(path);
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
}

async function mkdirOnce(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST' || !(await stat(path)).isDirectory()) throw error;
  }
}

function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}
