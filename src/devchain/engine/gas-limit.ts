/** The number of fields before the gas limit, by transaction type; later types begin like type 2. */
const fieldsBefore: readonly number[] = [2, 3];
const fieldsBeforeInLater = 4;
/** Enough bytes for all fields up to the gas limit. */
const maxHeadBytes = 192;

/**
 * Reads the gas limit of a signed transaction (`0x` and hexadecimal digits) without decoding the rest. The chain must
 * have accepted the transaction.
 */
export function gasLimitOf(raw: string): number {
  const bytes = Buffer.from(raw.slice(2, 2 + 2 * maxHeadBytes), 'hex');
  const first = bytes.readUInt8(0);
  // A transaction without a type is a list itself.
  const type = first >= 0xc0 ? 0 : first;
  let at = first >= 0xc0 ? 0 : 1;
  const list = bytes.readUInt8(at);
  at += list < 0xf8 ? 1 : list - 0xf6;
  for (let field = fieldsBefore[type] ?? fieldsBeforeInLater; field > 0; field -= 1) at += 1 + lengthAt(bytes, at);
  const length = lengthAt(bytes, at);
  return length === 0 ? bytes.readUInt8(at) % 0x80 : bytes.readUIntBE(at + 1, length);
}

/** The number of bytes that follow the first byte of an RLP item; 0 for a small number, which is its first byte. */
function lengthAt(bytes: Buffer, at: number): number {
  return Math.max(0, bytes.readUInt8(at) - 0x80);
}
