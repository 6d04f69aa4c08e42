import { describe, expect, it } from 'vitest';
import { createDirectory } from '../../../../../src/pipeline/accept/identities/directory.js';
import { resolveAuthor } from '../../../../../src/pipeline/accept/identities/author.js';
import { codeOfAsync } from '../../../../support/codes.js';
import { keyOf } from '../../../../support/registry.js';
import { aRegisteredDatabase, deskKey, own } from '../messages/acceptance.js';

const itself = { author: own.did, key: own.key };
const desk = { author: 'did:parley:alice-desk', key: deskKey };
const bobsDesk = keyOf(0xb0b);
/** A key as it is without 0x. */
const bare = (key: string) => key.slice(2);

async function resolve(given?: { readonly author?: string; readonly key?: string }, keys = own.keys) {
  return resolveAuthor(createDirectory(await aRegisteredDatabase()), { ...own, keys }, given);
}

/** The inner code of a refusal. */
async function refusal(given: { readonly author?: string; readonly key?: string }, keys = own.keys) {
  const error: unknown = await resolve(given, keys).catch((thrown: unknown) => thrown);
  return /^FF10206: .*: (\w+) /.exec(error instanceof Error ? error.message : '')?.[1];
}

describe('the author of a request', () => {
  it('is this node’s organisation when nobody is named', async () => {
    expect(await resolve()).toEqual(itself);
    expect(await resolve({})).toEqual(itself);
  });

  it.each(['alice', 'did:parley:org/alice', 'did:firefly:org/alice', own.key, own.key.toUpperCase(), bare(own.key)])(
    'is this node’s own as %s',
    async (author) => {
      expect(await resolve({ author })).toEqual(itself);
    },
  );

  it('may name the key of this node, in any case', async () => {
    expect(await resolve({ author: 'alice', key: own.key.toUpperCase() })).toEqual(itself);
  });

  it.each(['alice-desk', 'did:parley:alice-desk', 'did:firefly:alice-desk', deskKey, bare(deskKey).toUpperCase()])(
    'is a custom identity of this member as %s, with its key',
    async (author) => {
      expect(await resolve({ author })).toEqual(desk);
      expect(await resolve({ author, key: deskKey })).toEqual(desk);
    },
  );

  it('is the owner of the key when only that is given, also without 0x', async () => {
    expect(await resolve({ key: deskKey })).toEqual(desk);
    expect(await resolve({ key: bare(deskKey) })).toEqual(desk);
  });

  it.each(['bob', 'did:parley:org/bob', keyOf(2), 'bob-desk', 'did:parley:bob-desk'])(
    'is refused as %s, which is not this node’s',
    async (author) => {
      expect(await refusal({ author })).toBe('PY1502');
    },
  );

  it.each(['did:parley:alice', 'Alice', '', keyOf(404), 'alice-node', 'did:parley:node/alice-node'])(
    'is refused as "%s", whom nobody knows',
    async (author) => {
      expect(await refusal({ author })).toBe('FF10277');
    },
  );

  it('is refused with a key that is not held here, not registered, or of somebody else', async () => {
    expect(await refusal({ key: bobsDesk })).toBe('PY1502');
    expect(await refusal({ author: 'alice', key: '' })).toBe('PY1502');
    expect(await refusal({ key: keyOf(404) }, [own.key, keyOf(404)])).toBe('FF10356');
    expect(await refusal({ author: 'alice', key: deskKey })).toBe('FF10355');
    expect(await refusal({ author: 'alice-desk', key: own.key })).toBe('FF10355');
  });

  it('is refused with a key that is held here and is registered for an identity of another member', async () => {
    expect(await refusal({ key: bobsDesk }, [own.key, bobsDesk])).toBe('PY1502');
  });

  it('is refused as a custom identity whose key is not held here', async () => {
    expect(await refusal({ author: 'alice-desk' }, [own.key])).toBe('FF10354');
  });

  it('is refused with the code of refused authors, whatever the reason', async () => {
    expect(await codeOfAsync(() => resolve({ author: 'bob' }))).toBe('FF10206');
  });
});
