/** The fields before the gas limit, by the type of a transaction; those of later types begin as type 2 does. */
const fieldsBefore: readonly number[] = [2, 3];
const fieldsBeforeInLater = 4;
/** More than the fields up to the gas limit take. */
const maxHeadBytes = 192;

/**
 * Reads the gas limit of a signed transaction, as `0x` and hexadecimal digits, without the rest of it. The transaction
 * must be one that the chain has accepted.
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

/** The bytes of a number behind its first one, which is the number itself if it is small. */
function lengthAt(bytes: Buffer, at: number): number {
  return Math.max(0, bytes.readUInt8(at) - 0x80);
}
