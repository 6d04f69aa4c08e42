import { access, readdir } from 'node:fs/promises';
import { isErrno } from '../files/json-file.js';

/** Lists the names in a directory; none if it does not exist. */
export async function namesIn(directory: string): Promise<readonly string[]> {
  try {
    return await readdir(directory);
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return [];
    throw error;
  }
}

/** Whether a file or directory exists. @throws the system's error if that cannot be known */
export async function exists(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return false;
    throw error;
  }
}
