import { expect, test } from 'vitest';
import { profileRulesOf } from '../../../../src/domain/network/profile.js';
import { createMemoryDatabase } from '../../../../src/adapters/database/memory/memory.js';
import { createSeededRandom } from '../../../../src/adapters/random/seeded.js';
import { identityId } from '../../../../src/domain/network/identity.js';
import { applyMembership } from '../../../../src/pipeline/receive/member.js';
import { every } from '../../../../src/ports/tables/where.js';

const place = { position: { block: 1, transactionIndex: 0, logIndex: 0 }, transactionHash: '0x1' };
const [time, later] = ['2026-01-15T10:00:00.000Z', '2026-01-15T11:00:00.000Z'];
const parts = {
  namespaces: ['default', 'svc_system'],
  random: createSeededRandom(1),
  contract: '0xc',
  profileRules: profileRulesOf(undefined),
};

async function aRegistry() {
  const database = createMemoryDatabase();
  const member = {
    type: 'member_added',
    organization: 'alice',
    key: `0x${'1'.repeat(40)}`,
    node: 'alice-node',
  } as const;
  const custom = { type: 'key_added', organization: 'alice', name: 'shop', key: `0x${'2'.repeat(40)}` } as const;
  await database.transaction((unit) =>
    applyMembership(
      unit,
      [
        { ...place, time, ...member, endpoint: 'https://alice', publicKeyHash: 'a'.repeat(64) },
        { ...place, time, ...custom },
      ],
      parts,
    ),
  );
  return database;
}

test('each new identity has one event in each namespace', async () => {
  const database = await aRegistry();
  const events = await database.rows('events', { namespace: every }, { limit: 100 });
  const dids = ['did:parley:org/alice', 'did:parley:node/alice-node', 'did:parley:shop'];
  expect(events.map(({ namespace, type, reference, topic }) => ({ namespace, type, reference, topic }))).toEqual(
    dids.flatMap((did) =>
      parts.namespaces.map((namespace) => {
        return { namespace, type: 'identity_confirmed', reference: identityId(did), topic: 'svc_definition' };
      }),
    ),
  );
  expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
});

test('an organisation below a member has its own DID and key, and the member as parent', async () => {
  const database = await aRegistry();
  const added = { type: 'key_added', organization: 'alice', name: 'daughter', key: `0x${'3'.repeat(40)}` } as const;
  await database.transaction((unit) =>
    applyMembership(unit, [{ ...place, time, ...added, isOrganization: true }], parts),
  );
  const identities = await database.rows('identities', {}, { limit: 100 });
  expect(identities.at(-1)).toMatchObject({
    did: 'did:parley:org/daughter',
    type: 'org',
    parent: 'did:parley:org/alice',
  });
  const keys = await database.rows('keys', {}, { limit: 100 });
  expect(keys.at(-1)).toMatchObject({ key: added.key, identity: 'did:parley:org/daughter' });
});

test('a node that changes its endpoint and key keeps its identity', async () => {
  const database = await aRegistry();
  const change = { type: 'node_changed', organization: 'alice', endpoint: 'https://b', publicKeyHash: 'b'.repeat(64) };
  await database.transaction((unit) =>
    applyMembership(unit, [{ ...place, time: later, ...change, type: 'node_changed' }], parts),
  );
  const identities = await database.rows('identities', {}, { limit: 100 });
  expect(identities.find(({ type }) => type === 'node')).toMatchObject({
    did: 'did:parley:node/alice-node',
    endpoint: 'https://b',
    publicKeyHash: 'b'.repeat(64),
    created: time,
    updated: later,
  });
  expect(await database.rows('events', { namespace: every }, { limit: 100 })).toHaveLength(6);
});
