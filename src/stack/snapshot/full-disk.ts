import { isErrno } from '../../supervisor/files/json-file.js';
import { StackError } from '../error.js';

/** Converts an error of a full disk to DISK_FULL with the outcome; returns other errors unchanged. */
export function fullDisk(error: unknown, outcome = 'nothing was changed'): unknown {
  if (!isErrno(error, 'ENOSPC', 'EDQUOT')) return error;
  return new StackError('DISK_FULL', `The disk is full: ${outcome}.`, {
    hint: 'Free some space, for example by removing snapshots: stack snapshot list',
    cause: error,
  });
}
