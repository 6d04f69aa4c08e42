import { ClientError } from '../../../src/client/errors.js';

/** Whether the node answered that it does not have the record. */
export function isMissing(error: unknown): boolean {
  return error instanceof ClientError && error.status === 404;
}
