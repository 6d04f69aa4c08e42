import { check } from '../wire/check.js';
import { FfiMethods } from '../wire/contract.js';
import { isServiceError, ServiceError } from '../wire/error.js';
import { elementsOf, membersOf, read } from '../wire/json-reader.js';
import type { JsonText } from '../wire/scalar.js';
import { type AbiEntry, readAbi } from './contract-abi.js';
import { methodEntry } from './contract-ffi.js';

/** What a pool uses methods of its contract for. */
export type TokenUse = 'mint' | 'transfer' | 'burn' | 'approval';
export const tokenUses: readonly TokenUse[] = ['mint', 'transfer', 'burn', 'approval'];

/** The methods of a contract that has names of its own for what pools do; what is not in it is as in the standard. */
export type PoolMethods = Readonly<Partial<Record<TokenUse, readonly AbiEntry[]>>>;

/** In which words the record of a pool says its methods: as compilers have them, or as interfaces do (S §15.1). */
export const methodFormats = ['abi', 'ffi'] as const;
export type MethodFormat = (typeof methodFormats)[number];

const maxMethodsCharacters = 65_536;
/** Of one use. */
const maxMethods = 16;

/** Undefined for a text that is no format. */
export function methodFormat(text: string): MethodFormat | undefined {
  return methodFormats.find((format) => format === text);
}

/**
 * Reads the methods that a pool's record or definition has, in either format.
 *
 * @throws ServiceError field_type when they are none
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

/** The methods that a pool has for a use, by the column of its row; none = those of the standard. */
export function methodsFor(methods: JsonText | null, use: TokenUse): readonly AbiEntry[] {
  return methods === null ? [] : (readPoolMethods(methods)[use] ?? []);
}

/** The methods of a list in either format; undefined where it is none of both. It may be anybody's text. */
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
