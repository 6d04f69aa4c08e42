import { ClientError } from '../../../src/client/errors.js';

/** Whether the node has said that it does not have what was asked for: not yet, or no longer. */
export function isMissing(error: unknown): boolean {
  return error instanceof ClientError && error.status === 404;
}
