import { check } from '../../wire/check.js';
import { FfiMethods } from '../../wire/contracts/contract.js';
import { isServiceError, ServiceError } from '../../wire/errors/error.js';
import { elementsOf, membersOf, read } from '../../wire/json/json-reader.js';
import type { JsonText } from '../../wire/scalar.js';
import { type AbiEntry, readAbi } from '../contracts/abi.js';
import { methodEntry } from '../contracts/ffi.js';

/** The operations for which a pool calls methods of its contract. */
export type TokenUse = 'mint' | 'transfer' | 'burn' | 'approval';
export const tokenUses: readonly TokenUse[] = ['mint', 'transfer', 'burn', 'approval'];

/** The contract methods of a pool that deviate from the standard, by use; an absent use has the standard's methods. */
export type PoolMethods = Readonly<Partial<Record<TokenUse, readonly AbiEntry[]>>>;

/**
 * The formats in which a pool's record may describe its methods: the JSON ABI or FireFly's interface format
 * (docs/api.md §19.1).
 */
export const methodFormats = ['abi', 'ffi'] as const;
export type MethodFormat = (typeof methodFormats)[number];

const maxMethodsCharacters = 65_536;
/** Maximum number of methods per use. */
const maxMethods = 16;

/** Returns the format of that name; undefined if there is none. */
export function methodFormat(text: string): MethodFormat | undefined {
  return methodFormats.find((format) => format === text);
}

/**
 * Reads the methods of a pool's record or definition, in either format.
 *
 * @throws ServiceError field_type if they are malformed
 */
export function readPoolMethods(text: JsonText): PoolMethods {
  const members = text.length > maxMethodsCharacters ? undefined : membersOf(text);
  if (members === undefined) throw refusal('an object of methods, of at most 65,536 characters');
  const read = [...members].map(([name, list]) => {
    const use = tokenUses.find((each) => each === name);
    if (use === undefined) throw refusal(`an object with the members ${tokenUses.join(', ')} alone`);
    const entries = readEntries(list);
    if (entries === undefined) throw refusal(`an object with one to ${maxMethods} methods for each member`);
    return [use, entries] as const;
  });
  return Object.fromEntries(read);
}

/** The methods of a pool for a use, from the column of its row; empty = those of the standard. */
export function methodsFor(methods: JsonText | null, use: TokenUse): readonly AbiEntry[] {
  return methods === null ? [] : (readPoolMethods(methods)[use] ?? []);
}

/** Reads a list of methods in either format; undefined if it is in neither. The text is untrusted. */
export function readEntries(list: JsonText): readonly AbiEntry[] | undefined {
  const elements = elementsOf(list);
  if (elements === undefined || elements.length === 0 || elements.length > maxMethods) return undefined;
  try {
    const ofFfi = elements.filter((element) => membersOf(element)?.has('params') === true);
    const isFfi = ofFfi.length > 0;
    if (isFfi && ofFfi.length < elements.length) return undefined;
    const entries = isFfi ? readFfi(list) : readAbi(list);
    return entries?.length === elements.length && entries.every(({ type }) => type === 'function')
      ? entries
      : undefined;
  } catch (error) {
    if (!isServiceError(error)) throw error;
    return undefined;
  }
}

function readFfi(list: JsonText): readonly AbiEntry[] | undefined {
  const { value } = read(list, FfiMethods);
  return check(FfiMethods, value) ? value.map((method) => methodEntry(method, 'methods')) : undefined;
}

function refusal(expected: string): ServiceError {
  return new ServiceError('field_type', { field: 'methods', expected, actual: 'something else' });
}
