import { ServiceError } from '../../wire/errors/error.js';
import { hashPattern, uuidPattern } from '../../wire/scalar.js';

/**
 * Reads a record id from a caller, in lower case (docs/api.md §3.2). @throws ServiceError not_uuid, naming the field
 */
export function readId(field: string, text: string): string {
  const id = text.toLowerCase();
  if (!uuidPattern.test(id)) throw new ServiceError('not_uuid', { field, actual: text });
  return id;
}

/** Reads a hash from a caller; undefined if there is none. @throws ServiceError not_hash, naming the field */
export function readHash(field: string, text: string | undefined): string | undefined {
  const hash = text?.toLowerCase();
  if (hash !== undefined && !hashPattern.test(hash)) throw new ServiceError('not_hash', { field, actual: text ?? '' });
  return hash;
}
