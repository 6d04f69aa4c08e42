import { AbiCoder } from 'ethers';
import { type AbiParameter, splitType } from '../../domain/contract-abi.js';
import { bytesTypeOf } from './type.js';

const coder = AbiCoder.defaultAbiCoder();

/**
 * Values as JSON has them: whole numbers as decimal text, bytes and addresses as `0x` in lower case, tuples as objects.
 * Throws where the data is no such values.
 */
export function decodeValues(parameters: readonly AbiParameter[], data: string): readonly unknown[] {
  const decoded = coder.decode(parameters.map(bytesTypeOf), data);
  return parameters.map((parameter, index) => toJson(parameter, decoded[index]));
}

/** Whether a topic holds only the hash of a value. */
export function isHashedInTopics({ type }: AbiParameter): boolean {
  const { base, suffix } = splitType(type);
  return suffix !== '' || ['string', 'bytes', 'tuple'].includes(base);
}

function toJson(parameter: AbiParameter, value: unknown): unknown {
  const { base, suffix } = splitType(parameter.type);
  if (suffix !== '') {
    const type = `${base}${suffix.slice(0, suffix.lastIndexOf('['))}`;
    return partsOf(value).map((element) => toJson({ ...parameter, type }, element));
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

/** Arrays and tuples. What ethers could not read throws when it is looked at. */
function partsOf(value: unknown): readonly unknown[] {
  return Array.from(value as Iterable<unknown>); // its decoder gives an array for either
}

/** Bytes that are no UTF-8 have replacement characters, and so has U+0000: not every database stores it. */
function textFrom(hex: string): string {
  return Buffer.from(hex.slice(2), 'hex').toString().replaceAll('\0', '\uFFFD');
}
