import { type AbiParameter, splitType } from '../../domain/contracts/abi.js';
import { CodecError } from '../../ports/contract-codec.js';
import { type AbiValue, BeyondLimits, MismatchedData, readValues } from '../../domain/contracts/abi-values.js';

/**
 * Decodes values to JSON form: integers as decimal text, bytes and addresses as lower-case `0x`, tuples as objects.
 * Undefined if the data does not match the types. Throws CodecError if decoding would take too much work.
 */
export function decodeValues(parameters: readonly AbiParameter[], data: string): readonly unknown[] | undefined {
  try {
    const values = readValues(parameters, data);
    return parameters.map((parameter, index) => toJson(parameter, values[index]));
  } catch (error) {
    // Contracts and servers may return anything; unreadable data is not the expected data.
    if (error instanceof MismatchedData) return undefined;
    if (error instanceof BeyondLimits)
      throw new CodecError('', `within the limits. ${error.message}`, { cause: error });
    throw error;
  }
}

/** Whether a topic contains only the hash of a value. */
export function isHashedInTopics({ type }: AbiParameter): boolean {
  const { base, suffix } = splitType(type);
  return suffix !== '' || ['string', 'bytes', 'tuple'].includes(base);
}

function toJson(parameter: AbiParameter, value: AbiValue | undefined): unknown {
  const { base, suffix } = splitType(parameter.type);
  if (suffix !== '') {
    const element = { ...parameter, type: `${base}${suffix.slice(0, suffix.lastIndexOf('['))}` };
    return partsOf(value).map((each) => toJson(element, each));
  }
  if (base === 'tuple') {
    const parts = partsOf(value);
    const members = (parameter.components ?? []).map((component, index) => {
      return [component.name === '' ? String(index) : component.name, toJson(component, parts[index])] as const;
    });
    return Object.fromEntries(members);
  }
  if (base === 'bool') return value === true;
  if (base === 'string') return textFrom(String(value));
  return String(value).toLowerCase();
}

function partsOf(value: AbiValue | undefined): readonly AbiValue[] {
  return typeof value === 'object' ? value : [];
}

/** Decodes text; invalid UTF-8 and U+0000, which not every database stores, get replacement characters. */
function textFrom(hex: string): string {
  return Buffer.from(hex.slice(2), 'hex').toString().replaceAll('\0', '\uFFFD');
}
