import { computeAddress, hexlify, keccak256 as reference, randomBytes } from 'ethers';
import { describe, expect, test } from 'vitest';
import { addressOf, keccak256 } from '../../../../src/stack/keys/address.js';

describe('Keccak-256', () => {
  test.each([
    ['', 'c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470'],
    ['abc', '4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45'],
  ])('of %j is as published', (text, hash) => {
    expect(Buffer.from(keccak256(Buffer.from(text))).toString('hex')).toBe(hash);
  });

  test.each([1, 135, 136, 137, 272, 500])('of %i bytes is what another implementation says', (length) => {
    const bytes = randomBytes(length);
    expect(hexlify(keccak256(bytes))).toBe(reference(bytes));
  });
});

describe('The address of a key', () => {
  test('is as published for a well-known key', () => {
    const key = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';
    expect(addressOf(key)).toBe('0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266');
  });

  test('is what another implementation says for any key', () => {
    for (let i = 0; i < 20; i++) {
      const key = hexlify(randomBytes(32));
      expect(addressOf(key)).toBe(computeAddress(key).toLowerCase());
    }
  });
});
