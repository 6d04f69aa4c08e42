import { dirname } from 'node:path';
import { makeDirectory, writePrivateFile } from '../../supervisor/files/private-file.js';

/** Creates a directory for this user only, with missing parents. */
export function makeOwnDirectory(path: string): Promise<void> {
  return makeDirectory(path);
}

/** Writes a file that only this user can read, creating missing directories. */
export async function writeOwnFile(path: string, text: string): Promise<void> {
  await makeDirectory(dirname(path));
  await writePrivateFile(path, text);
}
