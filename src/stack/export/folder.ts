import { readdir } from 'node:fs/promises';
import { isErrno } from '../../supervisor/files/json-file.js';
import { makeDirectory } from '../../supervisor/files/private-file.js';
import { StackError } from '../error.js';

/** Creates the folder of an export. @throws StackError NAME_EXISTS if it is not empty; EXPORT_REFUSED */
export async function makeFolder(directory: string): Promise<void> {
  const refused = (cause: unknown): never => {
    throw new StackError('EXPORT_REFUSED', `${directory} is not a writable folder.`, {
      hint: 'Name another folder: -o DIR',
      cause,
    });
  };
  const names = await readdir(directory).catch((cause: unknown) => (isErrno(cause, 'ENOENT') ? [] : refused(cause)));
  if (names.length > 0) {
    throw new StackError('NAME_EXISTS', `${directory} is not empty.`, { hint: 'Name another folder: -o DIR' });
  }
  await makeDirectory(directory).catch(refused);
}
