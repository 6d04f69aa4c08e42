import { toBeArray } from 'ethers';

/** A value of Ethereum's encoding of nested lists, RLP: bytes, or a list of such values. */
export type RlpValue = Uint8Array | readonly RlpValue[];

const [bytesAt, listAt] = [0x80, 0xc0];
/**
 * For values up to this length the first byte contains the length; for longer ones it contains the number of length
 * bytes, which follow.
 */
const maxShort = 55;

/**
 * Encodes a value (Ethereum Yellow Paper, appendix B). The encoder of ethers makes a number and a text of each byte,
 * twice for a transaction; for the pin of a full batch, that would be most of the time of its signature.
 */
export function encodeRlp(value: RlpValue): Buffer {
  if (!(value instanceof Uint8Array)) {
    const content = Buffer.concat(value.map(encodeRlp));
    return Buffer.concat([headOf(listAt, content.length), content]);
  }
  if (value.length === 1 && (value[0] ?? bytesAt) < bytesAt) return Buffer.from(value);
  return Buffer.concat([headOf(bytesAt, value.length), value]);
}

function headOf(kind: number, length: number): Uint8Array {
  if (length <= maxShort) return Uint8Array.of(kind + length);
  const bytes = toBeArray(length);
  return Buffer.concat([Uint8Array.of(kind + maxShort + bytes.length), bytes]);
}
