import { type AbiParameter, splitType } from '../../domain/contract-abi.js';
import { CodecError } from '../../ports/contract-codec.js';
import { valueOf } from '../../wire/json.js';
import { elementsOf, membersOf } from '../../wire/json-reader.js';
import type { JsonText } from '../../wire/scalar.js';

/**
 * A JSON text as a value that ethers' coder takes for a parameter. Whole numbers are read from their digits, never
 * through a float. `path` is where it stands. Throws CodecError.
 */
export function toSolidity(parameter: AbiParameter, text: JsonText, path: string): unknown {
  const { base, suffix } = splitType(parameter.type);
  if (suffix !== '') return toArray(parameter, text, path);
  if (base === 'tuple') return toTuple(parameter, text, path);
  if (base.startsWith('uint') || base.startsWith('int')) return toWhole(base, text, path);
  if (base === 'bool') return toBoolean(text, path);
  const given: unknown = text.startsWith('"') ? valueOf(text) : undefined;
  if (base === 'string') return toText(given, path);
  if (base === 'address') return toHex(given, path, { sizeBytes: 20, word: 'an address' });
  const sizeBytes = base === 'function' ? 24 : base === 'bytes' ? undefined : Number(base.slice('bytes'.length));
  return toHex(given, path, { sizeBytes, word: sizeBytes === undefined ? 'bytes' : `${sizeBytes} bytes` });
}

function toArray(parameter: AbiParameter, text: JsonText, path: string): unknown[] {
  const { base, suffix } = splitType(parameter.type);
  const outer = suffix.lastIndexOf('[');
  const length = suffix.slice(outer + 1, -1);
  const elements = elementsOf(text);
  if (elements === undefined || (length !== '' && elements.length !== Number(length))) {
    throw new CodecError(path, length === '' ? 'an array' : `an array of ${length}`);
  }
  const type = `${base}${suffix.slice(0, outer)}`;
  return elements.map((element, index) => toSolidity({ ...parameter, type }, element, `${path}[${index}]`));
}

function toTuple({ components = [] }: AbiParameter, text: JsonText, path: string): unknown[] {
  const members = membersOf(text);
  const names = components.map(({ name }, index) => (name === '' ? String(index) : name));
  if (members === undefined) throw new CodecError(path, `an object with ${names.join(', ')}`);
  const unknown = [...members.keys()].find((name) => !names.includes(name));
  if (unknown !== undefined) throw new CodecError(`${path}.${unknown}`, `left out: there are ${names.join(', ')}`);
  return components.map((component, index) => {
    const name = names[index] ?? '';
    const member = members.get(name);
    if (member === undefined) throw new CodecError(`${path}.${name}`, `given, as ${component.type}`);
    return toSolidity(component, member, `${path}.${name}`);
  });
}

/** More digits than the largest number has. */
const maxDigits = 78;

function toWhole(base: string, text: JsonText, path: string): bigint {
  const bits = BigInt(base.replace(/^u?int/, ''));
  const [min, max] = base.startsWith('u') ? [0n, 2n ** bits - 1n] : [-(2n ** (bits - 1n)), 2n ** (bits - 1n) - 1n];
  const digits = text.startsWith('"') ? String(valueOf(text)) : text;
  const isHex = text.startsWith('"') && /^0x[0-9a-f]{1,64}$/i.test(digits);
  const value = isHex || (/^-?\d+$/.test(digits) && digits.length <= maxDigits + 1) ? BigInt(digits) : undefined;
  if (value !== undefined && value >= min && value <= max) return value;
  throw new CodecError(path, `a whole number from ${min} to ${max}, as number or as text`);
}

function toBoolean(text: JsonText, path: string): boolean {
  const word = text.startsWith('"') ? String(valueOf(text)) : text;
  if (word === 'true') return true;
  if (word === 'false') return false;
  throw new CodecError(path, 'true or false');
}

function toText(given: unknown, path: string): string {
  if (typeof given === 'string' && !/\p{Surrogate}/u.test(given)) return given;
  throw new CodecError(path, 'text');
}

/** The `0x` may be left out. */
function toHex(
  given: unknown,
  path: string,
  { sizeBytes, word }: { readonly sizeBytes: number | undefined; readonly word: string },
): string {
  const digits = typeof given === 'string' ? given.replace(/^0x/i, '').toLowerCase() : undefined;
  const isWhole = digits !== undefined && /^(?:[0-9a-f]{2})*$/.test(digits);
  if (isWhole && (sizeBytes === undefined || digits.length === sizeBytes * 2)) return `0x${digits}`;
  throw new CodecError(path, `${word} as text, 0x and hexadecimal digits`);
}
