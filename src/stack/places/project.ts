import { readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isErrno } from '../../supervisor/files/json-file.js';

const maxFileBytes = 262_144;

/** The nearest directory upwards with a `stack.yaml` of Parley; undefined if there is none. */
export async function findProject(from: string): Promise<string | undefined> {
  for (let directory = from; ; directory = dirname(directory)) {
    if ((await readProjectFile(directory)) !== undefined) return directory;
    if (dirname(directory) === directory) return undefined;
  }
}

/**
 * The text of a directory's `stack.yaml`, if it is one of Parley's: another tool uses the same file name, and its files
 * are ignored.
 */
export async function readProjectFile(directory: string): Promise<string | undefined> {
  const path = join(directory, 'stack.yaml');
  try {
    const entry = await stat(path);
    if (!entry.isFile() || entry.size > maxFileBytes) return undefined;
    const text = await readFile(path, 'utf8');
    // Some editors begin a file with a byte order mark.
    return /^\uFEFF?apiVersion:\s*['"]?stack\/v1['"]?\s*(#.*)?$/m.test(text) ? text : undefined;
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ENOTDIR', 'EACCES')) return undefined;
    throw error;
  }
}
