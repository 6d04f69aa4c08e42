import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createClient } from '../../../src/client/client.js';
import { classify } from '../../../ui/src/search/classify.js';
import { searchKinds } from '../../../ui/src/search/kinds.js';

const forms = (text: string) => classify(text).map(({ is }) => is);
const hash = 'ab'.repeat(32);

describe('a search text', () => {
  it('is known as an id, a hash, an address, a DID, a CID or a version by its form', () => {
    expect(forms('0b1c2d3e-4f50-4a6b-8c7d-0123456789ab')).toEqual(['uuid']);
    expect(forms(hash)).toEqual(['hash']);
    expect(forms(`0x${hash}`)).toEqual(['transaction']);
    expect(forms(`0x${hash.slice(0, 40)}`)).toEqual(['address']);
    expect(forms('did:parley:org/alice')).toEqual(['did']);
    expect(forms('QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnPbdG')).toEqual(['cid']);
    expect(forms('bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi')).toEqual(['cid']);
    expect(forms('order@1.0')).toEqual(['version']);
  });

  it('of four or more hexadecimal digits may begin an id, and a name', () => {
    expect(forms('cafe')).toEqual(['prefix', 'text']);
    expect(forms('0b1c2d3e-4f')).toEqual(['prefix', 'text']);
    expect(forms('0b1c2d3e-')).toEqual(['prefix', 'text']);
    expect(forms('caf')).toEqual(['text']);
    expect(forms('0b1c2d3e4')).toEqual(['text']);
    expect(forms('0b1c-2d3e')).toEqual(['text']);
    expect(forms('coffee')).toEqual(['text']);
  });

  it('means the same in capitals where letters are digits, and nowhere else', () => {
    expect(classify('  CAFE ')).toEqual([
      { is: 'prefix', text: 'cafe' },
      { is: 'text', text: 'CAFE' },
    ]);
    expect(classify(hash.toUpperCase())).toEqual([{ is: 'hash', text: hash }]);
    expect(classify('Order@V1')).toEqual([{ is: 'version', text: 'Order@V1' }]);
  });

  it('has no reading when it is empty, and one for any other', () => {
    expect(classify('   ')).toEqual([]);
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(classify(text).length > 0).toBe(text.trim() !== '');
      }),
    );
  });
});

/** The lists that a search asks for, with the parameters of each. */
async function questionsOf(text: string): Promise<readonly string[]> {
  const asked: string[] = [];
  const client = createClient({
    url: 'http://127.0.0.1:1',
    transport: ({ url }) => {
      const { pathname, searchParams } = new URL(url);
      asked.push(`${pathname.replace(/^.*\/default\//, '')} ${[...searchParams].flat().join(' ')}`);
      const bytes = new TextEncoder().encode('[]');
      return Promise.resolve({
        status: 200,
        headers: new Map(),
        body: (async function* () {
          yield await Promise.resolve(bytes);
        })(),
        bytes: () => Promise.resolve(bytes),
      });
    },
  });
  await Promise.all(searchKinds.map(({ ask }) => ask(classify(text), client, new AbortController().signal)));
  return asked;
}

describe('a search', () => {
  it('asks for every kind of record that has an id, those of the chain among them', async () => {
    const id = '0b1c2d3e-4f50-4a6b-8c7d-0123456789ab';
    const asked = await questionsOf(id);
    for (const list of ['messages', 'data', 'apis', 'operations', 'contracts/listeners', 'blockchainevents'])
      expect(asked).toContain(`${list} id ${id} limit 5`);
    for (const list of ['tokens/transfers', 'tokens/approvals'])
      expect(asked).toContain(`${list} localid ${id} limit 5`);
    expect(asked).toContain(`operations tx ${id} limit 5`);
  });

  it('finds contracts by the beginning of their names', async () => {
    const asked = await questionsOf('escrow');
    for (const list of ['apis', 'contracts/listeners', 'contracts/interfaces'])
      expect(asked).toContain(`${list} name :^escrow limit 5`);
  });
});
