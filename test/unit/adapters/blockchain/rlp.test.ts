import * as ethers from 'ethers';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { encodeRlp, type RlpValue } from '../../../../src/adapters/blockchain/rlp.js';

const hex = (bytes: Uint8Array): string => `0x${Buffer.from(bytes).toString('hex')}`;
const { value } = fc.letrec<{ value: RlpValue }>((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, fc.uint8Array({ maxLength: 80 }), fc.array(tie('value'), { maxLength: 20 })),
}));

it('encodes nested lists as ethers does', () => {
  fc.assert(
    fc.property(value, (each) => {
      expect(hex(encodeRlp(each))).toBe(ethers.encodeRlp(each as ethers.RlpStructuredDataish));
    }),
    { numRuns: 500 },
  );
});

it.each([0, 1, 55, 56, 255, 256, 65_535, 65_536])('encodes %i bytes', (length) => {
  const bytes = new Uint8Array(length).fill(7);
  expect(hex(encodeRlp(bytes)) === ethers.encodeRlp(bytes)).toBe(true);
});

it.each([0, 1, 55, 56, 255, 256])('encodes a list of %i', (length) => {
  const members = Array.from({ length }, () => Uint8Array.of(1));
  expect(hex(encodeRlp(members))).toBe(ethers.encodeRlp(members));
});
