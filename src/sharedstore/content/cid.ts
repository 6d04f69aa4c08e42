const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const pattern = /^Qm[1-9A-HJ-NP-Za-km-z]{44}$/;
/** The multihash codes for SHA-256 and a length of 32 bytes. */
const multihashPrefix = Buffer.from([0x12, 0x20]);
const multihashBytes = 34;

/** The version 0 CID of a root block's SHA-256 digest. */
export function cidOf(digest: Uint8Array): string {
  // The prefix is never zero, so base58's special treatment of leading zeros does not arise.
  let rest = BigInt(`0x${Buffer.concat([multihashPrefix, digest]).toString('hex')}`);
  let text = '';
  for (; rest > 0n; rest /= 58n) text = alphabet.charAt(Number(rest % 58n)) + text;
  return text;
}

/**
 * The digest in a version 0 CID; undefined for any other text. Only the exact text that `cidOf` returns is accepted, so
 * that content has one name and no caller's text becomes a path (docs/architecture.md §12.3).
 */
export function digestOf(text: string): Buffer | undefined {
  if (!pattern.test(text)) return undefined;
  let value = 0n;
  for (const character of text) value = value * 58n + BigInt(alphabet.indexOf(character));
  const hex = value.toString(16).padStart(multihashBytes * 2, '0');
  const digest = Buffer.from(hex, 'hex').subarray(multihashPrefix.length);
  return cidOf(digest) === text ? digest : undefined;
}
