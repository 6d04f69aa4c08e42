import { constants, copyFile, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isErrno } from '../../supervisor/files/json-file.js';
import { StackError } from '../error.js';

/** A file that a template brings beside the definition. */
export interface BroughtFile {
  /** Relative to the definition. */
  readonly path: string;
  readonly source: string;
}

/** The folders of a template whose files are copied to a new stack. */
const folders = ['files', 'seed', 'triggers'] as const;

/** The files that a template brings, in the order of their paths. */
export async function filesOf(directory: string): Promise<readonly BroughtFile[]> {
  const found = await Promise.all(folders.map((folder) => filesBelow(directory, folder)));
  return found.flat().sort((one, other) => (one.path < other.path ? -1 : 1));
}

async function filesBelow(directory: string, folder: string): Promise<readonly BroughtFile[]> {
  try {
    const entries = await readdir(join(directory, folder), { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((source) => ({ path: source.slice(join(directory, '/').length), source }));
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ENOTDIR')) return [];
    throw error;
  }
}

/**
 * Copies files into a directory. An existing file with the same content stays; a failure leaves none of the copies.
 *
 * @throws StackError NAME_EXISTS if a file exists with other content
 */
export async function placeFiles(files: readonly BroughtFile[], directory: string): Promise<void> {
  const placed: string[] = [];
  try {
    for (const { path, source } of files) {
      const target = join(directory, path);
      await mkdir(dirname(target), { recursive: true });
      if (await placeOne(source, target)) placed.push(target);
    }
  } catch (error) {
    for (const target of placed) await rm(target, { force: true });
    throw error;
  }
}

/** False if the file existed. */
async function placeOne(source: string, target: string): Promise<boolean> {
  try {
    await copyFile(source, target, constants.COPYFILE_EXCL);
    return true;
  } catch (error) {
    if (!isErrno(error, 'EEXIST')) throw error;
    const isSame = (await readFile(source)).equals(await readFile(target));
    if (isSame) return false;
    throw new StackError('NAME_EXISTS', `${target} already exists, and its content differs from the template's.`, {
      hint: 'Move it away, or go to another directory.',
      cause: error,
    });
  }
}
