import { canonicalAddress } from '../../wire/chain/address.js';
import { ServiceError } from '../../wire/errors/error.js';
import { textOf, valueOf } from '../../wire/json/json.js';
import { nearestHint } from '../../wire/lists/query.js';
import type { JsonText } from '../../wire/scalar.js';

/** The known members of `config` by request. A connector may accept a member without using it. */
const knownNames = {
  pool: ['address', 'blockNumber', 'methods'],
  transfer: [],
  approval: ['allowance', 'tokenIndex'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/**
 * The members of the object `config` of a request. A null or empty member counts as absent, as in every request: forms
 * send those for fields left empty. An unknown member is refused: without a misspelt limit the operation would grant
 * more than requested, and the chain cannot undo it.
 *
 * @throws ServiceError field_type if it is not an object, argument_unknown
 */
export function readConfig(
  text: JsonText | undefined,
  request: keyof typeof knownNames,
): Readonly<Record<string, unknown>> {
  const config = text === undefined ? {} : valueOf(text);
  if (typeof config !== 'object' || config === null || Array.isArray(config)) {
    throw new ServiceError('field_type', { field: 'config', expected: 'an object', actual: shown(config) });
  }
  const members = Object.entries(config).filter(([, member]) => member !== null && member !== '');
  const known: readonly string[] = knownNames[request];
  const unknown = members.map(([name]) => name).find((name) => !known.includes(name));
  if (unknown === undefined) return Object.fromEntries(members);
  const hint = known.length === 0 ? '; this operation takes none.' : nearestHint(unknown, known);
  throw new ServiceError('argument_unknown', { field: `config.${unknown.slice(0, maxShown)}`, hint });
}

/**
 * Reads a member that is a whole number ≥ 0, as number or decimal text; returns its digits, or undefined if it is
 * absent.
 *
 * @throws ServiceError for anything else
 */
export function readDigits(config: Readonly<Record<string, unknown>>, name: string, max: bigint): string | undefined {
  const value = config[name];
  if (value === undefined) return undefined;
  const isNumber = typeof value === 'number' && Number.isSafeInteger(value);
  const digits = typeof value === 'string' ? value : isNumber ? value.toFixed(0) : '';
  if (/^(0|[1-9][0-9]{0,77})$/.test(digits) && BigInt(digits) <= max) return digits;
  const expected = `a whole number from 0 to ${max}, as text above 9007199254740991`;
  throw new ServiceError('field_type', { field: `config.${name}`, expected, actual: shown(value) });
}

/**
 * Reads a member that is an address, in lower case; undefined if it is absent. @throws ServiceError if it is invalid
 */
export function readAddress(config: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = config[name];
  if (value === undefined) return undefined;
  const address = typeof value === 'string' ? canonicalAddress(value) : '';
  if (/^0x[0-9a-f]{40}$/.test(address)) return address;
  const expected = 'an address, 0x and 40 hexadecimal digits';
  throw new ServiceError('field_type', { field: `config.${name}`, expected, actual: shown(value) });
}

/**
 * Refuses a member that would restrict the operation where the contract cannot: ignoring it would grant more than
 * requested.
 *
 * @throws ServiceError if it is present
 */
export function requireAbsent(config: Readonly<Record<string, unknown>>, name: string, because: string): void {
  const value = config[name];
  if (value === undefined) return;
  throw new ServiceError('field_type', {
    field: `config.${name}`,
    expected: `absent: ${because}`,
    actual: shown(value),
  });
}

const maxShown = 80;

function shown(value: unknown): string {
  return textOf(value).slice(0, maxShown);
}
