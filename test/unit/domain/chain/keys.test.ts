import { createECDH } from 'node:crypto';
import { computeAddress, hexlify, randomBytes } from 'ethers';
import { describe, expect, test } from 'vitest';
import { addressOf, isPrivateKey, keccak256 } from '../../../../src/domain/chain/keys.js';

describe('Keccak-256', () => {
  test.each([
    ['', 'c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470'],
    ['abc', '4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45'],
  ])('of %j is as published', (text, hash) => {
    expect(Buffer.from(keccak256(Buffer.from(text))).toString('hex')).toBe(hash);
  });
});

describe('The address of a key', () => {
  test('is correct for a well-known key', () => {
    const key = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';
    expect(addressOf(key)).toBe('0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266');
  });

  test('agrees with another implementation for any key', () => {
    for (let i = 0; i < 20; i++) {
      const key = hexlify(randomBytes(32));
      expect(addressOf(key)).toBe(computeAddress(key).toLowerCase());
    }
  });
});

describe('A private key', () => {
  const lastKey = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364140n;
  const textOf = (key: bigint) => `0x${key.toString(16).padStart(64, '0')}`;

  test.each([0n, 1n, lastKey, lastKey + 1n, 2n ** 256n - 1n])('%i is one as OpenSSL says', (key) => {
    expect(isPrivateKey(textOf(key))).toBe(isKeyOfOpenSsl(textOf(key)));
  });

  test.each(['', '0x', textOf(1n).slice(2), `${textOf(1n)}0`, textOf(10n).toUpperCase(), `${textOf(1n)}\n`])(
    'is not %j',
    (text) => {
      expect(isPrivateKey(text)).toBe(false);
    },
  );
});

function isKeyOfOpenSsl(key: string): boolean {
  try {
    createECDH('secp256k1').setPrivateKey(key.slice(2), 'hex');
    return true;
  } catch {
    return false;
  }
}
