import { describe, expect, it } from 'vitest';
import { createDirectory } from '../../../../../src/pipeline/accept/identities/directory.js';
import { resolveAuthor } from '../../../../../src/pipeline/accept/identities/author.js';
import { codeOfAsync } from '../../../../support/codes.js';
import { keyOf } from '../../../../support/registry.js';
import { aRegisteredDatabase, deskKey, own } from '../messages/acceptance.js';

const organization = { author: own.did, key: own.key };
const desk = { author: 'did:parley:alice-desk', key: deskKey };
const bobsDesk = keyOf(0xb0b);
const withoutPrefix = (key: string) => key.slice(2);

async function resolve(given?: { readonly author?: string; readonly key?: string }, keys = own.keys) {
  return resolveAuthor(createDirectory(await aRegisteredDatabase()), { ...own, keys }, given);
}

/** Returns the code of the reason, which the message of FF10206 contains. */
async function refusal(given: { readonly author?: string; readonly key?: string }, keys = own.keys) {
  const error: unknown = await resolve(given, keys).catch((thrown: unknown) => thrown);
  return /^FF10206: .*: (\w+) /.exec(error instanceof Error ? error.message : '')?.[1];
}

describe('the author of a request', () => {
  it('is the organisation of this node by default', async () => {
    expect(await resolve()).toEqual(organization);
    expect(await resolve({})).toEqual(organization);
  });

  it.each([
    'alice',
    'did:parley:org/alice',
    'did:firefly:org/alice',
    own.key,
    own.key.toUpperCase(),
    withoutPrefix(own.key),
  ])('is the organisation of this node as %s', async (author) => {
    expect(await resolve({ author })).toEqual(organization);
  });

  it('may name the key of this node, in any case', async () => {
    expect(await resolve({ author: 'alice', key: own.key.toUpperCase() })).toEqual(organization);
  });

  it.each([
    'alice-desk',
    'did:parley:alice-desk',
    'did:firefly:alice-desk',
    deskKey,
    withoutPrefix(deskKey).toUpperCase(),
  ])('is a custom identity of this member as %s, with its key', async (author) => {
    expect(await resolve({ author })).toEqual(desk);
    expect(await resolve({ author, key: deskKey })).toEqual(desk);
  });

  it('is the owner of the key when only that is given, also without 0x', async () => {
    expect(await resolve({ key: deskKey })).toEqual(desk);
    expect(await resolve({ key: withoutPrefix(deskKey) })).toEqual(desk);
  });

  it.each(['bob', 'did:parley:org/bob', keyOf(2), 'bob-desk', 'did:parley:bob-desk'])(
    'is refused as %s, an identity of another member',
    async (author) => {
      expect(await refusal({ author })).toBe('PY1502');
    },
  );

  it.each(['did:parley:alice', 'Alice', '', keyOf(404), 'alice-node', 'did:parley:node/alice-node'])(
    'is refused as "%s", which is not known',
    async (author) => {
      expect(await refusal({ author })).toBe('FF10277');
    },
  );

  it('is refused with a foreign key, an unregistered key and the key of another identity', async () => {
    expect(await refusal({ key: bobsDesk })).toBe('PY1502');
    expect(await refusal({ author: 'alice', key: '' })).toBe('PY1502');
    expect(await refusal({ key: keyOf(404) }, [own.key, keyOf(404)])).toBe('FF10356');
    expect(await refusal({ author: 'alice', key: deskKey })).toBe('FF10355');
    expect(await refusal({ author: 'alice-desk', key: own.key })).toBe('FF10355');
  });

  it('is refused with a key that this node holds but that is registered for another member', async () => {
    expect(await refusal({ key: bobsDesk }, [own.key, bobsDesk])).toBe('PY1502');
  });

  it('is refused as a custom identity whose key this node does not hold', async () => {
    expect(await refusal({ author: 'alice-desk' }, [own.key])).toBe('FF10354');
  });

  it('is refused with the same outer code for each reason', async () => {
    expect(await codeOfAsync(() => resolve({ author: 'bob' }))).toBe('FF10206');
  });
});
