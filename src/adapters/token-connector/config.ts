import { ServiceError } from '../../wire/errors/error.js';
import { textOf, valueOf } from '../../wire/json/json.js';
import type { JsonText } from '../../wire/scalar.js';

/**
 * The members of the object `config` of a request. One that is null or an empty text is absent, as in every request:
 * forms send those for fields that nobody has filled in.
 *
 * @throws ServiceError if it is not an object
 */
export function readConfig(text: JsonText | undefined): Readonly<Record<string, unknown>> {
  const config = text === undefined ? {} : valueOf(text);
  if (typeof config === 'object' && config !== null && !Array.isArray(config)) {
    return Object.fromEntries(Object.entries(config).filter(([, member]) => member !== null && member !== ''));
  }
  throw new ServiceError('field_type', { field: 'config', expected: 'an object', actual: shown(config) });
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
  if (typeof value === 'string' && /^0x[0-9a-fA-F]{40}$/.test(value)) return value.toLowerCase();
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
