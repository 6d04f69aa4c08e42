import { readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isErrno } from '../supervisor/json-file.js';

const maxFileBytes = 262_144;

/** The nearest directory upwards that has a `stack.yaml` of ours; undefined if none has. */
export async function findProject(from: string): Promise<string | undefined> {
  for (let directory = from; ; directory = dirname(directory)) {
    if ((await readProjectFile(directory)) !== undefined) return directory;
    if (dirname(directory) === directory) return undefined;
  }
}

/**
 * The text of a directory's `stack.yaml`, if there is one and it is ours: another tool uses the same file name for
 * something else, which is never looked at further.
 */
export async function readProjectFile(directory: string): Promise<string | undefined> {
  const path = join(directory, 'stack.yaml');
  try {
    const entry = await stat(path);
    if (!entry.isFile() || entry.size > maxFileBytes) return undefined;
    const text = await readFile(path, 'utf8');
    return /^apiVersion:\s*['"]?stack\/v1['"]?\s*(#.*)?$/m.test(text) ? text : undefined;
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ENOTDIR', 'EACCES')) return undefined;
    throw error;
  }
}
