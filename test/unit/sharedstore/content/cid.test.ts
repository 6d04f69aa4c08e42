import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cidOf, digestOf } from '../../../../src/sharedstore/content/cid.js';

const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const base58 = fc.constantFrom(...alphabet);
const base58Text = fc.array(base58, { minLength: 44, maxLength: 44 }).map((rest) => `Qm${rest.join('')}`);
const valid = 'QmT78zSuBmuS4z925WZfrqQ1qHaJ56DQaTfyMUF7F8ff5o';

describe('cidOf and digestOf', () => {
  it('are each other’s inverse for every digest', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (digest) => {
        const cid = cidOf(digest);
        expect(cid).toMatch(/^Qm.{44}$/);
        expect(digestOf(cid)).toEqual(Buffer.from(digest));
      }),
    );
  });

  it('accept the lowest and the highest digest', () => {
    for (const value of [0, 255]) {
      const digest = Buffer.alloc(32, value);
      expect(digestOf(cidOf(digest))).toEqual(digest);
    }
  });

  it.each([
    '',
    'Qm',
    valid.slice(0, -1),
    `${valid}1`,
    `${valid}/`,
    ` ${valid}`,
    valid.replace('T', '0'),
    valid.replace('T', 'l'),
    `../${valid.slice(3)}`,
    'bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi',
    `Qm${'z'.repeat(44)}`,
    createHash('sha256').digest('hex'),
  ])('refuse %j, which is not a version 0 CID', (text) => {
    expect(digestOf(text)).toBeUndefined();
  });

  it('accept only the text that cidOf returns', () => {
    const outcomes = new Set<boolean>();
    const nearCid = fc
      .tuple(fc.uint8Array({ minLength: 32, maxLength: 32 }), fc.integer({ min: 2, max: 45 }), base58)
      .map(([digest, at, character]) => {
        const text = cidOf(digest);
        return text.slice(0, at) + character + text.slice(at + 1);
      });
    fc.assert(
      fc.property(fc.oneof(nearCid, base58Text, fc.string({ maxLength: 60 })), (text) => {
        const digest = digestOf(text);
        outcomes.add(digest !== undefined);
        if (digest !== undefined) expect([digest.length, cidOf(digest)]).toEqual([32, text]);
      }),
      { numRuns: 500 },
    );
    expect(outcomes).toEqual(new Set([true, false]));
  });
});
