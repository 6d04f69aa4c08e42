import { isErrno } from '../../supervisor/files/json-file.js';
import { StackError } from '../error.js';

/** The same error, or for a full disk one that says so, and how things stand. */
export function fullDisk(error: unknown, outcome = 'nothing was changed'): unknown {
  if (!isErrno(error, 'ENOSPC', 'EDQUOT')) return error;
  return new StackError('DISK_FULL', `The disk is full: ${outcome}.`, {
    hint: 'Free some space, for one by removing snapshots: stack snapshot list',
    cause: error,
  });
}
