import { ServiceError } from '../../wire/error.js';
import { textOf, valueOf } from '../../wire/json.js';
import type { JsonText } from '../../wire/scalar.js';

/** The members of the object `config` of a request. @throws ServiceError when it is no object */
export function readConfig(text: JsonText | undefined): Readonly<Record<string, unknown>> {
  const config = text === undefined ? {} : valueOf(text);
  if (typeof config === 'object' && config !== null && !Array.isArray(config)) return { ...config };
  throw new ServiceError('field_type', { field: 'config', expected: 'an object', actual: shown(config) });
}

/**
 * A member that is a whole number from 0, as number or decimal text: its digits. Undefined if it is not there.
 *
 * @throws ServiceError when it is something else
 */
export function readDigits(config: Readonly<Record<string, unknown>>, name: string, max: bigint): string | undefined {
  const value = config[name];
  if (value === undefined || value === null) return undefined;
  const isNumber = typeof value === 'number' && Number.isSafeInteger(value);
  const digits = typeof value === 'string' ? value : isNumber ? value.toFixed(0) : '';
  if (/^(0|[1-9][0-9]{0,77})$/.test(digits) && BigInt(digits) <= max) return digits;
  const expected = `a whole number from 0 to ${max}, as text above 9007199254740991`;
  throw new ServiceError('field_type', { field: `config.${name}`, expected, actual: shown(value) });
}

/** A member that is an address: in lower case. Undefined if it is not there. @throws ServiceError when it is none */
export function readAddress(config: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = config[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string' && /^0x[0-9a-fA-F]{40}$/.test(value)) return value.toLowerCase();
  const expected = 'an address, 0x and 40 hexadecimal digits';
  throw new ServiceError('field_type', { field: `config.${name}`, expected, actual: shown(value) });
}

/**
 * A member that would narrow what is asked for, where the contract cannot: passed over, it would give more away.
 *
 * @throws ServiceError when it is there
 */
export function requireAbsent(config: Readonly<Record<string, unknown>>, name: string, because: string): void {
  const value = config[name];
  if (value === undefined || value === null) return;
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
