import { dirname } from 'node:path';
import { makeDirectory, writePrivateFile } from '../supervisor/private-file.js';

/** Makes a directory for this user alone, and those above it that are missing. */
export function makeOwnDirectory(path: string): Promise<void> {
  return makeDirectory(path);
}

/** Writes a file that only this user can read, in a directory that is made where it is missing. */
export async function writeOwnFile(path: string, text: string): Promise<void> {
  await makeDirectory(dirname(path));
  await writePrivateFile(path, text);
}
