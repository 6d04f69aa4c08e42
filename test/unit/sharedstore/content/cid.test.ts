import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cidOf, digestOf } from '../../../../src/sharedstore/content/cid.js';

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

  it('take the digests at both ends', () => {
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
  ])('refuse what is no version 0 CID: %j', (text) => {
    expect(digestOf(text)).toBeUndefined();
  });

  it('refuse, or read in one spelling only, any text', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), (text) => {
        const digest = digestOf(text);
        if (digest !== undefined) expect(cidOf(digest)).toBe(text);
      }),
    );
  });
});
