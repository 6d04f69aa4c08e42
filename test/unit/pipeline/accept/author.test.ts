import { describe, expect, it } from 'vitest';
import { type OwnIdentity, resolveAuthor } from '../../../../src/pipeline/accept/author.js';
import { codeOf } from '../../../support/codes.js';
import { alice } from '../../../support/fixtures.js';

const own: OwnIdentity = { organization: 'alice', did: alice.did, key: alice.key };
const itself = { author: alice.did, key: alice.key };

describe('the author of a request', () => {
  it('is this node’s organisation when nobody is named', () => {
    expect(resolveAuthor(own)).toEqual(itself);
    expect(resolveAuthor(own, {})).toEqual(itself);
  });

  it.each(['alice', 'did:parley:org/alice', 'did:firefly:org/alice', alice.key, alice.key.toUpperCase()])(
    'is this node’s own as %s',
    (author) => {
      expect(resolveAuthor(own, { author })).toEqual(itself);
    },
  );

  it('may name the key of this node, in any case', () => {
    expect(resolveAuthor(own, { author: 'alice', key: alice.key.toUpperCase() })).toEqual(itself);
  });

  it.each(['bob', 'did:parley:org/bob', 'did:parley:alice', 'Alice', '', `0x${'1'.repeat(40)}`])(
    'is refused as "%s"',
    (author) => {
      expect(codeOf(() => resolveAuthor(own, { author }))).toBe('FF10206');
    },
  );

  it('is refused with a key of somebody else', () => {
    expect(codeOf(() => resolveAuthor(own, { key: `0x${'1'.repeat(40)}` }))).toBe('FF10206');
    expect(codeOf(() => resolveAuthor(own, { author: 'alice', key: '' }))).toBe('FF10206');
  });
});
