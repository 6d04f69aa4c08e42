/**
 * Arguments and logs of the methods and events of token contracts. Each transfer is encoded twice and decoded by every
 * node, and the general coder of ethers takes a quarter of a millisecond of CPU each time; a test holds these to it.
 */

const wordDigits = 64;
const maxWord = 2n ** 256n - 1n;
const addressPattern = /^0x[0-9a-fA-F]{40}$/;
const bytesPattern = /^0x[0-9a-fA-F]*$/;

const encoders: Readonly<Record<string, (value: unknown) => string>> = {
  uint256: (value) => wordOf(BigInt(value as bigint | string)),
  bool: (value) => wordOf(value === true ? 1n : 0n),
  address(value) {
    if (typeof value !== 'string' || !addressPattern.test(value)) throw new TypeError('This is no address.');
    return value.slice(2).toLowerCase().padStart(wordDigits, '0');
  },
};

const tailEncoders: Readonly<Record<string, (value: unknown) => string>> = {
  bytes: (value) => tailOf(digitsOf(value)),
  string: (value) => tailOf(Buffer.from(String(value)).toString('hex')),
  'address[]': (value) => listOf('address', value),
  'uint256[]': (value) => listOf('uint256', value),
};

/**
 * The arguments of a call, hexadecimal digits without `0x`. Throws TypeError, RangeError or SyntaxError for a type or a
 * value that it does not know.
 */
export function encodeWords(types: readonly string[], values: readonly unknown[]): string {
  if (types.length !== values.length) throw new TypeError('There are not as many values as types.');
  let heads = '';
  let tails = '';
  for (const [index, type] of types.entries()) {
    const encode = encoders[type];
    if (encode !== undefined) heads += encode(values[index]);
    else {
      const encodeTail = tailEncoders[type];
      if (encodeTail === undefined) throw new TypeError(`There are no arguments of the type ${type}.`);
      heads += wordOf(BigInt((types.length * wordDigits + tails.length) / 2));
      tails += encodeTail(values[index]);
    }
  }
  return heads + tails;
}

function listOf(type: 'address' | 'uint256', values: unknown): string {
  if (!Array.isArray(values)) throw new TypeError('This is no list.');
  return wordOf(BigInt(values.length)) + values.map((value) => encoders[type]?.(value)).join('');
}

function tailOf(digits: string): string {
  const padded = Math.ceil(digits.length / wordDigits) * wordDigits;
  return wordOf(BigInt(digits.length / 2)) + digits.padEnd(padded, '0');
}

function digitsOf(value: unknown): string {
  if (typeof value !== 'string' || value.length % 2 === 1 || !bytesPattern.test(value)) {
    throw new TypeError('These are no bytes.');
  }
  return value.slice(2).toLowerCase();
}

function wordOf(value: bigint): string {
  if (value < 0n || value > maxWord) throw new RangeError('This number does not fit in a word.');
  return value.toString(16).padStart(wordDigits, '0');
}

const decoders: Readonly<Record<string, (digits: string, at: number) => unknown>> = {
  uint256: (digits, at) => numberAt(digits, at),
  bool: (digits, at) => numberAt(digits, at) !== 0n,
  bytes(digits, at) {
    const start = placeAt(digits, at);
    const count = countAt(digits, start) * 2;
    // The last word is there as a whole, whatever fills it.
    return `0x${pieceOf(digits, start + wordDigits, Math.ceil(count / wordDigits) * wordDigits).slice(0, count)}`;
  },
  'uint256[]'(digits, at) {
    const start = placeAt(digits, at);
    const count = countAt(digits, start);
    const words = pieceOf(digits, start + wordDigits, count * wordDigits);
    return Array.from({ length: count }, (_, index) => numberAt(words, index * wordDigits));
  },
};

/** Whether `readWords` knows all of these types. */
export function areWords(types: readonly string[]): boolean {
  return types.every((type) => type in decoders);
}

/** The values of data that has these types, which `areWords`. Throws RangeError or TypeError where it has not. */
export function readWords(types: readonly string[], data: string): readonly unknown[] {
  const digits = digitsOf(data);
  return types.map((type, index) => decoders[type]?.(digits, index * wordDigits));
}

function pieceOf(digits: string, start: number, length: number): string {
  if (start + length > digits.length) throw new RangeError('The data ends too early.');
  return digits.slice(start, start + length);
}

function numberAt(digits: string, at: number): bigint {
  return BigInt(`0x${pieceOf(digits, at, wordDigits)}`);
}

function countAt(digits: string, at: number): number {
  const count = numberAt(digits, at);
  if (count > BigInt(Number.MAX_SAFE_INTEGER)) throw new RangeError('This is too much.');
  return Number(count);
}

/** Where the value is whose head is here. */
function placeAt(digits: string, at: number): number {
  return countAt(digits, at) * 2;
}
