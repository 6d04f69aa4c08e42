import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { classify } from '../../../ui/src/search/classify.js';

const forms = (text: string) => classify(text).map(({ is }) => is);
const hash = 'ab'.repeat(32);

describe('a search text', () => {
  it('is recognised as an id, a hash, an address, a DID, a CID or a version', () => {
    expect(forms('0b1c2d3e-4f50-4a6b-8c7d-0123456789ab')).toEqual(['uuid']);
    expect(forms(hash)).toEqual(['hash']);
    expect(forms(`0x${hash}`)).toEqual(['transaction']);
    expect(forms(`0x${hash.slice(0, 40)}`)).toEqual(['address']);
    expect(forms('did:parley:org/alice')).toEqual(['did']);
    expect(forms('QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnPbdG')).toEqual(['cid']);
    expect(forms('bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi')).toEqual(['cid']);
    expect(forms('order@1.0')).toEqual(['version']);
  });

  it('is the beginning of an id or a name if it has four or more hexadecimal digits', () => {
    expect(forms('cafe')).toEqual(['prefix', 'text']);
    expect(forms('0b1c2d3e-4f')).toEqual(['prefix', 'text']);
    expect(forms('0b1c2d3e-')).toEqual(['prefix', 'text']);
    expect(forms('caf')).toEqual(['text']);
    expect(forms('0b1c2d3e4')).toEqual(['text']);
    expect(forms('0b1c-2d3e')).toEqual(['text']);
    expect(forms('coffee')).toEqual(['text']);
  });

  it('ignores case only where letters are digits', () => {
    expect(classify('  CAFE ')).toEqual([
      { is: 'prefix', text: 'cafe' },
      { is: 'text', text: 'CAFE' },
    ]);
    expect(classify(hash.toUpperCase())).toEqual([{ is: 'hash', text: hash }]);
    expect(classify('Order@V1')).toEqual([{ is: 'version', text: 'Order@V1' }]);
  });

  it('has an interpretation unless it is empty', () => {
    expect(classify('   ')).toEqual([]);
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(classify(text).length > 0).toBe(text.trim() !== '');
      }),
    );
  });
});
