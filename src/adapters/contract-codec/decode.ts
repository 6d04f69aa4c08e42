import { type AbiParameter, splitType } from '../../domain/contract-abi.js';
import { CodecError } from '../../ports/contract-codec.js';
import { type AbiValue, BeyondLimits, NotThatData, readValues } from '../../domain/abi-values.js';

/**
 * Values as JSON has them: whole numbers as decimal text, bytes and addresses as `0x` in lower case, tuples as objects.
 * Undefined where the data is no such values. Throws CodecError where to read it would take too much.
 */
export function decodeValues(parameters: readonly AbiParameter[], data: string): readonly unknown[] | undefined {
  try {
    const values = readValues(parameters, data);
    return parameters.map((parameter, index) => toJson(parameter, values[index]));
  } catch (error) {
    // Contracts and servers may put anything here: what cannot be read is not what was looked for.
    if (error instanceof NotThatData) return undefined;
    if (error instanceof BeyondLimits)
      throw new CodecError('', `within the limits. ${error.message}`, { cause: error });
    throw error;
  }
}

/** Whether a topic holds only the hash of a value. */
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

/** Bytes that are no UTF-8 have replacement characters, and so has U+0000: not every database stores it. */
function textFrom(hex: string): string {
  return Buffer.from(hex.slice(2), 'hex').toString().replaceAll('\0', '\uFFFD');
}
