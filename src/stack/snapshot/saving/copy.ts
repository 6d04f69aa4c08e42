import { constants, copyFile, link, open, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isErrno } from '../../../supervisor/files/json-file.js';
import { makeDirectory, syncDirectory } from '../../../supervisor/files/private-file.js';

/** Files below `data/` that a service creates again, or that belong to one process or start. */
const volatile = [
  /(?:^|\/)lock-[^/]*$/,
  /\/db\.sqlite3-(?:shm|lock|lock-journal|closed)$/,
  /^nodes\/[^/]+\/node\.json$/,
  /^store\/drafts\//,
  /^failed-start\.json$/,
  /\.tmp$/,
];

/** Files that never change, since their names are hashes of their bytes. */
const immutable = [/^store\/(?:content|leaves)\/[^/]+$/, /^nodes\/[^/]+\/blobs\/[0-9a-f]{64}$/];

/**
 * Copies the data of a stack whose services are paused or stopped. With `mayLink`, files that never change are hard
 * links, which cost neither time nor space.
 */
export async function copyData(from: string, to: string, { mayLink = true } = {}): Promise<void> {
  const paths = (await pathsBelow(from)).filter((path) => !volatile.some((pattern) => pattern.test(path)));
  await makeDirectory(to);
  for (const directory of new Set(paths.map((path) => dirname(path)))) await makeDirectory(join(to, directory));
  for (const path of paths) await copyOne(join(from, path), join(to, path), mayLink && isImmutable(path));
}

/** The sorted paths of all files below a directory, relative to it. */
export async function pathsBelow(root: string): Promise<readonly string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .sort();
}

/** Copies a file that may be missing. */
export async function copyIfPresent(from: string, to: string): Promise<void> {
  try {
    await copyFile(from, to);
  } catch (error) {
    if (!isErrno(error, 'ENOENT')) throw error;
  }
}

function isImmutable(path: string): boolean {
  return immutable.some((pattern) => pattern.test(path));
}

async function copyOne(from: string, to: string, mayLink: boolean): Promise<void> {
  if (mayLink && (await tryLink(from, to))) return;
  await copyFile(from, to, constants.COPYFILE_FICLONE);
}

/** False if the file system supports no links, or no more links of this file. */
async function tryLink(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if (isErrno(error, 'EXDEV', 'EPERM', 'EMLINK', 'ENOTSUP', 'ENOSYS')) return false;
    throw error;
  }
}

/** Makes files, and all directories that lead to them, durable. */
export async function syncTree(root: string, paths: readonly string[]): Promise<void> {
  const directories = new Set<string>([root]);
  for (const path of paths) {
    const file = await open(join(root, path), 'r');
    try {
      await file.sync();
    } finally {
      await file.close();
    }
    for (let name = dirname(path); name !== '.'; name = dirname(name)) directories.add(join(root, name));
  }
  for (const directory of directories) await syncDirectory(directory);
}
