import { ServiceError } from '../wire/error.js';
import { uuidPattern } from '../wire/scalar.js';

/** A record id as a caller gives it, in lower case (S §1.4). @throws ServiceError not_uuid, naming the field */
export function readId(field: string, text: string): string {
  const id = text.toLowerCase();
  if (!uuidPattern.test(id)) throw new ServiceError('not_uuid', { field, actual: text });
  return id;
}
