import { hexlify, randomBytes, SigningKey } from 'ethers';
import { expect, test } from 'vitest';
import { signHash } from '../../../../src/domain/chain/signature.js';

test('A signature agrees with another implementation for the same key and hash', () => {
  for (let i = 0; i < 20; i++) {
    const [key, hash] = [hexlify(randomBytes(32)), hexlify(randomBytes(32))];
    const { r, s, yParity } = new SigningKey(key).sign(hash);
    expect(signHash(hash, key)).toMatchObject({ recovery: yParity, r: BigInt(r), s: BigInt(s) });
  }
});
