import { type AbiParameter, splitType } from '../../domain/contracts/abi.js';
import { maxAbiWords } from '../../domain/contracts/size.js';
import { CodecError } from '../../ports/contract-codec.js';
import { valueOf } from '../../wire/json/json.js';
import { elementsOf, membersOf } from '../../wire/json/json-reader.js';
import type { JsonText } from '../../wire/scalar.js';

/** An argument: a JSON text, its type, and its path in the request. */
export interface Argument {
  readonly parameter: AbiParameter;
  readonly text: JsonText;
  readonly path: string;
}

/**
 * ABI-encodes consecutive JSON values, as hexadecimal digits. Integers are read from their digits, never through a
 * float. Throws CodecError, also for more than a transaction can carry.
 */
export function encodeValues(given: readonly Argument[]): string {
  const budget = createBudget();
  return joined(given.map((argument) => encode(argument, budget))).digits;
}

/** An encoded value. */
interface Encoded {
  /** Whether it is dynamic: then a word in its place contains its offset. */
  readonly isDynamic: boolean;
  readonly digits: string;
}

/** Charges words before they are produced. */
type Budget = (words: number) => void;

const wordDigits = 64;
const wordBytes = 32;

function createBudget(): Budget {
  let left = maxAbiWords;
  return (words) => {
    left -= words;
    if (left < 0) throw tooMany();
  };
}

function tooMany(): CodecError {
  return new CodecError('', `at most ${maxAbiWords} words of 32 bytes in all`);
}

function encode({ parameter, text, path }: Argument, budget: Budget): Encoded {
  const { base, suffix } = splitType(parameter.type);
  if (suffix !== '') return encodeArray({ parameter, text, path }, budget);
  if (base === 'tuple') return encodeTuple({ parameter, text, path }, budget);
  budget(1);
  if (base.startsWith('uint') || base.startsWith('int')) return fixed(wordOf(toWhole(base, text, path)));
  if (base === 'bool') return fixed(wordOf(toBoolean(text, path) ? 1n : 0n));
  const given: unknown = text.startsWith('"') ? valueOf(text) : undefined;
  if (base === 'string') return encodeBytes(Buffer.from(toText(given, path)).toString('hex'), budget);
  if (base === 'bytes') return encodeBytes(toHex(given, path, { sizeBytes: undefined, word: 'bytes' }), budget);
  if (base === 'address') {
    return fixed(toHex(given, path, { sizeBytes: 20, word: 'an address' }).padStart(wordDigits, '0'));
  }
  const sizeBytes = base === 'function' ? 24 : Number(base.slice('bytes'.length));
  return fixed(toHex(given, path, { sizeBytes, word: `${sizeBytes} bytes` }).padEnd(wordDigits, '0'));
}

function fixed(digits: string): Encoded {
  return { isDynamic: false, digits };
}

function encodeBytes(digits: string, budget: Budget): Encoded {
  const words = Math.ceil(digits.length / wordDigits);
  budget(words + 1);
  return { isDynamic: true, digits: wordOf(digits.length / 2) + digits.padEnd(words * wordDigits, '0') };
}

/** Concatenates values; dynamic ones follow after all others, with their offsets in their places. */
function joined(parts: readonly Encoded[]): Encoded {
  let place = parts.reduce((bytes, part) => bytes + (part.isDynamic ? wordBytes : part.digits.length / 2), 0);
  let heads = '';
  let tails = '';
  for (const { isDynamic, digits } of parts) {
    heads += isDynamic ? wordOf(place) : digits;
    if (!isDynamic) continue;
    tails += digits;
    place += digits.length / 2;
  }
  return { isDynamic: tails !== '', digits: heads + tails };
}

function encodeArray({ parameter, text, path }: Argument, budget: Budget): Encoded {
  const { base, suffix } = splitType(parameter.type);
  const outer = suffix.lastIndexOf('[');
  const length = suffix.slice(outer + 1, -1);
  const elements = elementsOf(text);
  if (elements !== undefined && elements.length > maxAbiWords) throw tooMany();
  if (elements === undefined || (length !== '' && elements.length !== Number(length))) {
    throw new CodecError(path, length === '' ? 'an array' : `an array of ${length}`);
  }
  if (length === '') budget(1);
  const element = { ...parameter, type: `${base}${suffix.slice(0, outer)}` };
  const parts = joined(
    elements.map((each, index) => encode({ parameter: element, text: each, path: `${path}[${index}]` }, budget)),
  );
  return length === '' ? { isDynamic: true, digits: wordOf(elements.length) + parts.digits } : parts;
}

function encodeTuple({ parameter, text, path }: Argument, budget: Budget): Encoded {
  const { components = [] } = parameter;
  const members = membersOf(text);
  const names = components.map(({ name }, index) => (name === '' ? String(index) : name));
  if (members === undefined) throw new CodecError(path, `an object with ${names.join(', ')}`);
  const unknown = [...members.keys()].find((name) => !names.includes(name));
  if (unknown !== undefined) throw new CodecError(`${path}.${unknown}`, `left out: there are ${names.join(', ')}`);
  return joined(
    components.map((component, index) => {
      const name = names[index] ?? '';
      const member = members.get(name);
      if (member === undefined) throw new CodecError(`${path}.${name}`, `given, as ${component.type}`);
      return encode({ parameter: component, text: member, path: `${path}.${name}` }, budget);
    }),
  );
}

/** Encodes a word; negative numbers in two's complement. */
function wordOf(value: bigint | number): string {
  return BigInt.asUintN(256, BigInt(value)).toString(16).padStart(wordDigits, '0');
}

/** The largest number has no more digits. */
const maxDigits = 78;
/** Larger limits are shown as powers of two. */
const maxBitsInDigits = 64n;

function toWhole(base: string, text: JsonText, path: string): bigint {
  const isSigned = !base.startsWith('u');
  const bits = BigInt(base.replace(/^u?int/, '')) - (isSigned ? 1n : 0n);
  const [min, max] = [isSigned ? -(2n ** bits) : 0n, 2n ** bits - 1n];
  const digits = text.startsWith('"') ? String(valueOf(text)) : text;
  const isHex = text.startsWith('"') && /^0x[0-9a-f]{1,64}$/i.test(digits);
  const value = isHex || (/^-?\d+$/.test(digits) && digits.length <= maxDigits + 1) ? BigInt(digits) : undefined;
  if (value !== undefined && value >= min && value <= max) return value;
  // Written out, the limits of the largest types would be longer than an error may be.
  const isLarge = bits > maxBitsInDigits;
  const least = isLarge && isSigned ? `-2^${bits}` : String(min);
  const most = isLarge ? `2^${bits} - 1` : String(max);
  throw new CodecError(path, `a whole number from ${least} to ${most}, as number or as text`);
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

/** Returns the digits without the optional `0x`. */
function toHex(
  given: unknown,
  path: string,
  { sizeBytes, word }: { readonly sizeBytes: number | undefined; readonly word: string },
): string {
  const digits = typeof given === 'string' ? given.replace(/^0x/i, '').toLowerCase() : undefined;
  const isWhole = digits !== undefined && /^(?:[0-9a-f]{2})*$/.test(digits);
  if (isWhole && (sizeBytes === undefined || digits.length === sizeBytes * 2)) return digits;
  throw new CodecError(path, `${word} as text, 0x and hexadecimal digits`);
}
