import { ServiceError } from '../../wire/errors/error.js';
import { uuidPattern } from '../../wire/scalar.js';

/**
 * Reads a record id from a caller, in lower case (docs/api.md §3.2). @throws ServiceError not_uuid, naming the field
 */
export function readId(field: string, text: string): string {
  const id = text.toLowerCase();
  if (!uuidPattern.test(id)) throw new ServiceError('not_uuid', { field, actual: text });
  return id;
}
