import { ClientError } from '../../../src/client/errors.js';

/** Whether the node answered that it does not have the record. */
export function isMissing(error: unknown): boolean {
  return error instanceof ClientError && error.status === 404;
}

/** The codes for a text that is not a UUID or not a hash. */
const invalidIdCodes: readonly (string | undefined)[] = ['FF00138', 'FF00107'];

/** Whether the node answered that no record can have the id. */
export function isInvalidId(error: unknown): boolean {
  return error instanceof ClientError && invalidIdCodes.includes(error.code);
}
