import { type AbiParameter, splitType } from './abi.js';
import { maxAbiWords } from './size.js';

/**
 * A decoded Solidity value: integers as bigint, booleans, hexadecimal addresses and bytes, strings, and lists for the
 * elements of arrays and the members of tuples.
 */
export type AbiValue = bigint | boolean | string | readonly AbiValue[];

/** Data that does not match its types, or is truncated. */
export class MismatchedData extends Error {
  override readonly name = 'MismatchedData';
}

/** Data or types that would take more work than legitimate data ever does. */
export class BeyondLimits extends Error {
  override readonly name = 'BeyondLimits';
}

/**
 * Decodes values of the given types from ABI-encoded data (`0x…`). Both data and types are untrusted: offsets can make
 * a few words stand for billions of values, and fixed lengths can ask for as many without any data. So each value and
 * each word is charged before it is read, and the allowance is proportional to the length of the data.
 *
 * @throws MismatchedData, BeyondLimits
 */
export function readValues(parameters: readonly AbiParameter[], data: string): readonly AbiValue[] {
  const digits = /^0x(?:[0-9a-f]{2})*$/i.test(data) ? data.slice(2) : undefined;
  if (digits === undefined) throw new MismatchedData('The data is not hexadecimal.');
  return readMembers(parameters.map(shapeOf), openReader(digits), 0);
}

/** A compiled type: everything needed to read its values. */
interface Shape {
  /** Number of words the value occupies in place. */
  readonly words: number;
  /** Whether the type is dynamic: then the word in place is the offset of the value. */
  readonly isDynamic: boolean;
  /** Reads the value at a byte position. */
  readonly read: (reader: Reader, start: number) => AbiValue;
}

interface Reader {
  readonly sizeBytes: number;
  /** Charges work before it is done. @throws BeyondLimits */
  spend(units: number): void;
  /** Returns `count` bytes as `0x` and hexadecimal digits. @throws MismatchedData */
  bytes(start: number, count: number): string;
  /** Reads a word as a length or an offset. @throws MismatchedData */
  index(start: number): number;
}

const wordBytes = 32;
/** In legitimate data each word is read once, for one value, possibly nested in tuples and arrays with one member. */
const unitsPerWord = 16;
const freeUnits = 4_096;
const maxUnits = 8 * maxAbiWords;

function openReader(digits: string): Reader {
  const sizeBytes = digits.length / 2;
  let left = Math.min((sizeBytes / wordBytes) * unitsPerWord + freeUnits, maxUnits);
  const bytes = (start: number, count: number): string => {
    if (start + count > sizeBytes) throw new MismatchedData('The data is shorter than its types need.');
    return `0x${digits.slice(start * 2, (start + count) * 2)}`;
  };
  return {
    sizeBytes,
    bytes,
    spend(units) {
      left -= units;
      if (left < 0) throw new BeyondLimits('The data stands for far more values than it has words.');
    },
    index(start) {
      const value = BigInt(bytes(start, wordBytes));
      if (value > BigInt(sizeBytes)) throw new MismatchedData('The data says a length or place beyond its end.');
      return Number(value);
    },
  };
}

/** Reads consecutive values; offsets are relative to the first. */
function readMembers(shapes: readonly Shape[], reader: Reader, base: number): readonly AbiValue[] {
  let start = base;
  return shapes.map((shape) => {
    reader.spend(1);
    const value = shape.read(reader, shape.isDynamic ? base + reader.index(start) : start);
    start += shape.words * wordBytes;
    return value;
  });
}

function shapeOf(parameter: AbiParameter): Shape {
  const { base, suffix } = splitType(parameter.type);
  let shape = base === 'tuple' ? tupleShape(parameter.components) : basicShape(base);
  for (const [, length = ''] of suffix.matchAll(/\[(\d*)\]/g)) {
    shape = length === '' ? listShape(shape) : arrayShape(shape, Number(length));
  }
  return shape;
}

function tupleShape(components: readonly AbiParameter[] | undefined): Shape {
  if (components === undefined) throw new MismatchedData('A tuple does not say what it consists of.');
  const members = components.map(shapeOf);
  const isDynamic = members.some((member) => member.isDynamic);
  const words = members.reduce((total, member) => total + member.words, 0);
  return { isDynamic, words: isDynamic ? 1 : words, read: (reader, start) => readMembers(members, reader, start) };
}

/** An array of a fixed length. */
function arrayShape(element: Shape, length: number): Shape {
  const words = element.words * length;
  if (words > maxAbiWords) throw new BeyondLimits('A type has more values than any data.');
  const { isDynamic } = element;
  return { isDynamic, words: isDynamic ? 1 : words, read: (...place) => readElements(element, length, ...place) };
}

/** An array of variable length; its first word is the length. */
function listShape(element: Shape): Shape {
  const read = (reader: Reader, start: number): AbiValue =>
    readElements(element, reader.index(start), reader, start + wordBytes);
  return { isDynamic: true, words: 1, read };
}

function readElements(element: Shape, length: number, reader: Reader, start: number): readonly AbiValue[] {
  if (start + length * element.words * wordBytes > reader.sizeBytes) {
    throw new MismatchedData('The data is shorter than an array in it.');
  }
  // Charged before a list of that length is allocated; each element is charged again as a member.
  reader.spend(length);
  return readMembers(new Array<Shape>(length).fill(element), reader, start);
}

function basicShape(base: string): Shape {
  if (base === 'bytes' || base === 'string') return { isDynamic: true, words: 1, read: readBytes };
  const valueOf = valueReader(base);
  return { isDynamic: false, words: 1, read: (reader, start) => valueOf(reader.bytes(start, wordBytes)) };
}

function readBytes(reader: Reader, start: number): string {
  const length = reader.index(start);
  const padded = Math.ceil(length / wordBytes) * wordBytes;
  reader.spend(padded / wordBytes);
  return reader.bytes(start + wordBytes, padded).slice(0, 2 + length * 2);
}

/** Decodes the content of one word. Excess bits that a contract has left behind are ignored. */
function valueReader(base: string): (word: string) => AbiValue {
  const [, kind, digits = ''] = /^(u?int|bytes|bool|address|function)(\d*)$/.exec(base) ?? [];
  switch (kind) {
    case 'uint':
      return (word) => BigInt.asUintN(Number(digits), BigInt(word));
    case 'int':
      return (word) => BigInt.asIntN(Number(digits), BigInt(word));
    case 'bool':
      return (word) => BigInt(word) !== 0n;
    case 'bytes':
      return (word) => word.slice(0, 2 + Number(digits) * 2);
    case 'function':
      return (word) => word.slice(0, 2 + 24 * 2);
    case 'address':
      return readAddress;
    default:
      throw new MismatchedData(`There is no type ${base}.`);
  }
}

function readAddress(word: string): string {
  if (!word.startsWith(`0x${'0'.repeat(24)}`)) throw new MismatchedData('A word is too large for an address.');
  return `0x${word.slice(-40)}`.toLowerCase();
}
