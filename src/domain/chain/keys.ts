import { createECDH } from 'node:crypto';
import { keccak_256 } from '@noble/hashes/sha3';

/** The order of secp256k1 (SEC 2, 2.4.1). */
const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/** Whether a text is a private key: 0x and 64 digits in lower case, above 0 and below the order of the curve. */
export function isPrivateKey(text: string): boolean {
  return /^0x[0-9a-f]{64}$/.test(text) && BigInt(text) > 0n && BigInt(text) < order;
}

/**
 * Derives the address, in lower case, of a private key (0x and 64 hexadecimal digits). It uses `node:crypto`, because
 * most programs start without signing, and need not load a library for that.
 *
 * @throws Error if it is no private key
 */
export function addressOf(privateKey: string): string {
  if (!/^0x[0-9a-f]{64}$/i.test(privateKey)) throw new Error('A private key has 0x and 64 hexadecimal digits.');
  const curve = createECDH('secp256k1');
  curve.setPrivateKey(privateKey.slice(2), 'hex');
  // The first byte only marks an uncompressed point.
  const hash = keccak256(curve.getPublicKey().subarray(1));
  return `0x${Buffer.from(hash.subarray(12)).toString('hex')}`;
}

/** Keccak-256, 32 bytes: the hash of Ethereum, with the padding from before it became SHA-3. `node:crypto` lacks it. */
export function keccak256(bytes: Uint8Array): Uint8Array {
  return keccak_256(bytes);
}
