import { describe, expect, it } from 'vitest';
import { createMemoryDatabase } from '../../../../src/adapters/database/memory/memory.js';
import { hashOfGroup } from '../../../../src/domain/group.js';
import { networkLimits } from '../../../../src/domain/network/limits.js';
import { createDirectory } from '../../../../src/pipeline/accept/identities/directory.js';
import { type GroupRequest, resolveGroup } from '../../../../src/pipeline/accept/group.js';
import { newGroup } from '../../../../src/pipeline/state/groups/group-row.js';
import type { GroupInput } from '../../../../src/wire/messages/group.js';
import { codeOfAsync } from '../../../support/codes.js';
import { keyOf, register } from '../../../support/registry.js';
import { aRegisteredDatabase, member, own } from './messages/acceptance.js';

const [alice, bob, carol] = ['alice', 'bob', 'carol'].map(member);
const now = '2026-01-15T10:00:00.000Z';
const hash = hashOfGroup('default', '', [member('alice'), member('bob')]);

/** Creates a database with the group of alice and bob, and the group of bob and carol. */
async function aScene() {
  const database = await aRegisteredDatabase();
  const groups = [
    [member('alice'), member('bob')],
    [member('bob'), member('carol')],
  ].map((members) => newGroup('default', { name: '', members, created: now }));
  await database.transaction((unit) => unit.insert('groups', groups));
  return { database, others: groups[1]?.hash ?? '' };
}

async function resolve(changes: Partial<GroupRequest>) {
  const { database } = await aScene();
  const request = { namespace: 'default', author: own.did, inHeader: undefined, inBody: undefined, now };
  return resolveGroup(database, createDirectory(database), { ...request, ...changes });
}

async function membersOf(...identities: string[]) {
  const inBody = { members: identities.map((identity) => ({ identity })) };
  return (await resolve({ inBody })).group.members;
}

const of = (...members: NonNullable<GroupInput['members']>) => ({ inBody: { members } });

describe('a group by its members', () => {
  it.each(['bob', 'did:parley:org/bob', 'did:firefly:org/bob', keyOf(2), keyOf(2).toUpperCase(), keyOf(2).slice(2)])(
    'finds a member as %s, and adds the author with this node',
    async (identity) => {
      expect(await membersOf(identity)).toEqual([alice, bob]);
    },
  );

  it('resolves a custom identity to the node of its organisation', async () => {
    expect(await membersOf('bob-desk')).toEqual([{ identity: 'did:parley:bob-desk', node: bob?.node }, alice]);
  });

  it.each(['bob-node', 'did:parley:node/bob-node', 'did:firefly:node/bob-node', member('bob').node.toUpperCase()])(
    'finds a node as %s',
    async (node) => {
      expect((await resolve(of({ identity: 'bob', node }))).group.members).toEqual([alice, bob]);
    },
  );

  it('has each member once, in the same order for any order of the request', async () => {
    expect(await membersOf('carol', 'bob', 'did:parley:org/carol', 'alice')).toEqual([alice, bob, carol]);
  });

  it('may have the author as its only member', async () => {
    expect(await membersOf('alice')).toEqual([alice]);
  });

  it('has a different hash if it has a name', async () => {
    const named = await resolve({ inBody: { name: 'deal', members: [{ identity: 'bob' }] } });
    expect(named.group).toMatchObject({
      name: 'deal',
      hash: hashOfGroup('default', 'deal', [member('alice'), member('bob')]),
    });
    expect((await resolve(of({ identity: 'bob' }))).group).toMatchObject({ name: '', hash });
  });

  it('may state its hash', async () => {
    const inBody = { members: [{ identity: 'bob' }], hash };
    expect((await resolve({ inBody, inHeader: hash })).group.hash).toBe(hash);
  });

  it.each<[string, Partial<GroupRequest>, string]>([
    ['no group', {}, 'FF00115'],
    ['no members', of(), 'FF00115'],
    ['only a name', { inBody: { name: 'deal' } }, 'FF00115'],
    ['a reserved name', { inBody: { name: 'svc_deal', members: [{ identity: 'bob' }] } }, 'PY1105'],
    ['a member without an identity', of({ node: 'bob-node' }), 'FF00116'],
    ['a blank member', of({ identity: 'bob' }, { identity: ' ' }), 'FF00116'],
    ['an unknown identity', of({ identity: 'dave' }), 'FF10277'],
    ['a node as a member', of({ identity: 'did:parley:node/bob-node' }), 'FF10277'],
    ['an unknown node', of({ identity: 'bob', node: 'dave-node' }), 'FF10224'],
    ['a node of another organisation', of({ identity: 'bob', node: 'carol-node' }), 'FF10422'],
    ['an invalid name', { inBody: { name: 'a b', members: [{ identity: 'bob' }] } }, 'FF00140'],
    ['another hash', { inBody: { members: [{ identity: 'carol' }], hash } }, 'FF00119'],
    ['another hash in the header', { ...of({ identity: 'carol' }), inHeader: hash }, 'FF00119'],
    ['600 members', of(...Array.from({ length: 600 }, () => ({ identity: 'bob' }))), 'FF00134'],
  ])('with %s is refused', async (_, changes, code) => {
    expect(await codeOfAsync(() => resolve(changes))).toBe(code);
  });

  it('of an organisation without a node is refused', async () => {
    const { database } = await aScene();
    await database.transaction((unit) => unit.remove('identities', { name: 'carol-node' }));
    const request = { namespace: 'default', author: own.did, inHeader: undefined, now, ...of({ identity: 'carol' }) };
    expect(await codeOfAsync(() => resolveGroup(database, createDirectory(database), request))).toBe('FF10233');
  });
});

describe('a group by its hash', () => {
  it.each<[string, Partial<GroupRequest>]>([
    ['header.group', { inHeader: hash }],
    ['group', { inBody: hash }],
    ['group.hash', { inBody: { hash } }],
    ['both', { inHeader: hash, inBody: { hash } }],
    ['group.hash, with an empty name', { inBody: { name: '', hash } }],
  ])('in %s is the stored group', async (_, changes) => {
    const { group, self } = await resolve(changes);
    expect(group).toMatchObject({ hash, members: [alice, bob] });
    expect(self).toEqual(alice);
  });

  it('can be put again, and keeps the time at which it was first stored', async () => {
    const { database } = await aScene();
    const request = {
      namespace: 'default',
      author: own.did,
      inHeader: hash,
      inBody: undefined,
      now: '2027-01-01T00:00:00.000Z',
    };
    const { group } = await resolveGroup(database, createDirectory(database), request);
    await database.transaction((unit) => unit.put('groups', [group]));
    expect(group.created).toBe(now);
  });

  it('is refused if the hash is invalid, unknown, or differs between header and body', async () => {
    expect(await codeOfAsync(() => resolve({ inHeader: 'deal' }))).toBe('FF00107');
    expect(await codeOfAsync(() => resolve({ inBody: hash.toUpperCase() }))).toBe('FF00107');
    expect(await codeOfAsync(() => resolve({ inHeader: { hash } }))).toBe('PY1011');
    expect(await codeOfAsync(() => resolve({ inHeader: '0'.repeat(64) }))).toBe('FF10226');
    expect(await codeOfAsync(() => resolve({ inHeader: hash, namespace: 'other' }))).toBe('FF10226');
    expect(await codeOfAsync(() => resolve({ inHeader: hash, inBody: '0'.repeat(64) }))).toBe('FF00119');
  });

  it('is refused with a name that the group does not have', async () => {
    expect(await codeOfAsync(() => resolve({ inBody: { hash, name: 'deal' } }))).toBe('FF00119');
    expect(await codeOfAsync(() => resolve({ inHeader: hash, inBody: { name: 'deal' } }))).toBe('FF00119');
  });

  it('is accepted with its name', async () => {
    const { database } = await aScene();
    const deal = newGroup('default', { name: 'deal', members: [member('alice'), member('bob')], created: now });
    await database.transaction((unit) => unit.insert('groups', [deal]));
    const inBody = { hash: deal.hash, name: 'deal' };
    const request = { namespace: 'default', author: own.did, inHeader: undefined, inBody, now };
    const { group } = await resolveGroup(database, createDirectory(database), request);
    expect(group.hash).toBe(deal.hash);
  });

  it('is refused if the author is no member', async () => {
    const { others } = await aScene();
    expect(await codeOfAsync(() => resolve({ inHeader: others }))).toBe('PY1104');
    expect(await codeOfAsync(() => resolve({ inHeader: hash, author: 'did:parley:alice-desk' }))).toBe('PY1104');
  });
});

it('a group has at most 256 members, including the author', async () => {
  const database = createMemoryDatabase();
  const names = ['alice', ...Array.from({ length: networkLimits.maxGroupMembers }, (_, number) => `party-${number}`)];
  await register(database, names);
  const resolveMembers = (identities: readonly string[]) => {
    const inBody = { members: identities.map((identity) => ({ identity })) };
    return resolveGroup(database, createDirectory(database), {
      namespace: 'default',
      author: own.did,
      inHeader: undefined,
      inBody,
      now,
    });
  };
  expect(await codeOfAsync(() => resolveMembers(names.slice(1)))).toBe('FF00134');
  expect((await resolveMembers(names.slice(1, -1))).group.members).toHaveLength(networkLimits.maxGroupMembers);
});
