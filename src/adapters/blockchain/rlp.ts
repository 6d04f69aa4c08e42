/**
 * RLP, as far as transactions need it. ethers writes the same from and to hexadecimal text, value by value, which takes
 * as long as the signature.
 */

const shortEnd = 55;

/** A list of items that are written already. */
export function rlpList(written: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(written);
  return Buffer.concat([lengthOf(content.length, 0xc0), content]);
}

export function rlpBytes(bytes: Uint8Array): Uint8Array {
  const [first] = bytes;
  if (bytes.length === 1 && first !== undefined && first < 0x80) return bytes;
  return Buffer.concat([lengthOf(bytes.length, 0x80), bytes]);
}

/** A whole number of zero or more, without leading zeros; zero is no byte at all. */
export function rlpNumber(value: number | bigint): Uint8Array {
  const digits = value === 0 || value === 0n ? '' : value.toString(16);
  return rlpBytes(Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex'));
}

function lengthOf(length: number, offset: number): Uint8Array {
  if (length <= shortEnd) return Uint8Array.of(offset + length);
  const digits = length.toString(16);
  const bytes = Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex');
  return Buffer.concat([Uint8Array.of(offset + shortEnd + bytes.length), bytes]);
}

/** Where the item that begins at a place has its content, and where it ends. */
export function rlpItemAt(bytes: Uint8Array, at: number): { readonly start: number; readonly end: number } {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return { start: at, end: at + 1 };
  const short = first < 0xc0 ? first - 0x80 : first - 0xc0;
  if (short <= shortEnd) return { start: at + 1, end: at + 1 + short };
  const start = at + 1 + short - shortEnd;
  const digits = Buffer.from(bytes.subarray(at + 1, start)).toString('hex');
  return { start, end: start + Number(`0x${digits}`) };
}
