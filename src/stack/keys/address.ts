import { createECDH } from 'node:crypto';
import { keccak_256 } from '@noble/hashes/sha3';

/** Derives the chain address, in lower case, of a private key (0x and 64 hexadecimal digits). */
export function addressOf(key: string): string {
  const curve = createECDH('secp256k1');
  curve.setPrivateKey(key.slice(2), 'hex');
  // The first byte only marks an uncompressed point.
  const publicKey = curve.getPublicKey().subarray(1);
  return `0x${Buffer.from(keccak256(publicKey).subarray(12)).toString('hex')}`;
}

/** Ethereum's hash, 32 bytes: Keccak with the padding from before it became SHA-3, which `node:crypto` lacks. */
export function keccak256(bytes: Uint8Array): Uint8Array {
  return keccak_256(bytes);
}

/** The order of secp256k1 (SEC 2, 2.4.1). */
const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/** Whether a text is a private key as files have it: 0x and 64 hexadecimal digits, above 0 and below the curve's order. */
export function isPrivateKey(text: string): boolean {
  return /^0x[0-9a-f]{64}$/.test(text) && BigInt(text) > 0n && BigInt(text) < order;
}
