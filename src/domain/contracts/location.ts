import { canonicalAddress } from '../../wire/chain/address.js';
import { ServiceError } from '../../wire/errors/error.js';
import { textOf, valueOf } from '../../wire/json/json.js';
import type { JsonText } from '../../wire/scalar.js';
import { isObject, memberOf } from '../schema/json.js';

const addressPattern = /^0x[0-9a-f]{40}$/;

/** Reads the address from the location of a contract, in lower case. @throws ServiceError bad_location */
export function readLocation(location: JsonText): string {
  const value = valueOf(location);
  const address = isObject(value) ? memberOf(value, 'address') : undefined;
  const lower = typeof address === 'string' ? canonicalAddress(address) : '';
  if (!addressPattern.test(lower)) throw new ServiceError('bad_location', { problem: '' });
  return lower;
}

/** The location of a contract as it is stored and served. */
export function locationOf(address: string): JsonText {
  return textOf({ address });
}
