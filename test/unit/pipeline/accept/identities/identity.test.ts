import { describe, expect, test } from 'vitest';
import { createManualClock } from '../../../../../src/adapters/clock/manual.js';
import { createSeededRandom } from '../../../../../src/adapters/random/seeded.js';
import { currentRules, firstRules, type NetworkRules } from '../../../../../src/domain/network/network-rules.js';
import { organizationDid } from '../../../../../src/domain/network/identity.js';
import { createIdentityAcceptance } from '../../../../../src/pipeline/accept/identities/identity.js';
import type { OwnIdentity } from '../../../../../src/pipeline/state/identities/own-identity.js';
import type { Database } from '../../../../../src/ports/database.js';
import type { IdentityRequest } from '../../../../../src/wire/identities/identity.js';
import { codeOfAsync } from '../../../../support/codes.js';
import { rowsOf } from '../../../../support/pipelines-check.js';
import { keyOf, registerCustom } from '../../../../support/registry.js';
import { anAcceptance, own } from '../messages/acceptance.js';

/** Creates the acceptance of identities at alice's node, which holds an unregistered key. */
async function anIdentityAcceptance({
  balance = 1n,
  rules = currentRules,
  member = own,
  ...funding
}: Readonly<{ balance?: bigint; fundsKeys?: boolean; rules?: NetworkRules; member?: OwnIdentity }> = {}) {
  const { database, bus, ...sender } = await anAcceptance();
  const spare = keyOf(0x5ba2e);
  const blockchain = { addKey: (key: string) => key, balance: () => Promise.resolve(balance) };
  const created: string[] = [];
  let units = 0;
  const counted: Database = {
    ...database,
    transaction(unit) {
      units += 1;
      return database.transaction(unit);
    },
  };
  const acceptance = createIdentityAcceptance({
    ...sender,
    ...funding,
    database: counted,
    blockchain,
    own: { ...member, keys: [...member.keys, spare] },
    rulebook: { rules: () => Promise.resolve(rules) },
    createKey() {
      created.push(keyOf(0xc4ea7e));
      return Promise.resolve(keyOf(0xc4ea7e));
    },
    bus,
    clock: createManualClock(),
    random: createSeededRandom(3),
  });
  return { ...acceptance, database, spare, created, units: () => units };
}

describe('a custom identity with a description', () => {
  test('is stored in one unit with the message that describes it', async () => {
    const { acceptIdentity, database, spare, units } = await anIdentityAcceptance();
    const accepted = await acceptIdentity('default', { name: 'till', key: spare, description: 'The till' });
    expect(units()).toBe(1);
    const [operations, messages] = [await rowsOf(database, 'operations'), await rowsOf(database, 'messages')];
    expect(operations).toMatchObject([{ id: accepted.operation, type: 'blockchain_register_identity' }]);
    expect(messages).toMatchObject([{ id: accepted.message?.header.id, tag: 'svc_identity_update', state: 'ready' }]);
    const [item] = await rowsOf(database, 'data');
    expect(item?.value).toBe('{"did":"did:parley:till","namespace":"default","description":"The till"}');
  });
  test('stores nothing when it is refused', async () => {
    const { acceptIdentity, database, spare } = await anIdentityAcceptance();
    const request = { name: 'alice-desk', key: spare, description: 'Another' };
    expect(await codeOfAsync(() => acceptIdentity('default', request))).toBe('FF10193');
    expect(await rowsOf(database, 'messages')).toEqual([]);
    expect(await rowsOf(database, 'data')).toEqual([]);
  });
});

describe('an idempotency key that registered an identity', () => {
  test('is refused as used, not because the name is taken by then', async () => {
    const requests: readonly IdentityRequest[] = [{ name: 'till' }, { name: 'daughter', type: 'org', parent: 'alice' }];
    for (const named of requests) {
      const { acceptIdentity, database, spare } = await anIdentityAcceptance();
      const request = { ...named, idempotencyKey: 'register-once' };
      await acceptIdentity('default', { ...request, key: spare });
      expect(await codeOfAsync(() => acceptIdentity('default', { ...request, key: spare }))).toBe('FF10431');
      expect(await codeOfAsync(() => acceptIdentity('default', request))).toBe('FF10431');
      expect(await rowsOf(database, 'transactions')).toHaveLength(1);
    }
  });
  test('is refused as used by the unit after a concurrent request was accepted', async () => {
    const { acceptIdentity, spare } = await anIdentityAcceptance();
    const request = { name: 'till', key: spare, idempotencyKey: 'register-till' };
    const codes = await Promise.all([1, 2].map(() => codeOfAsync(() => acceptIdentity('default', request))));
    expect(codes).toEqual([undefined, 'FF10431']);
  });
  test('sends no claim for the name that this request has taken', async () => {
    const { acceptIdentity, acceptTakenClaim, database, spare } = await anIdentityAcceptance();
    const request = { name: 'till', key: spare, idempotencyKey: 'register-till' };
    await acceptIdentity('default', request);
    expect(await codeOfAsync(() => acceptTakenClaim('default', request))).toBe('FF10431');
    expect(await rowsOf(database, 'messages')).toEqual([]);
  });
});

describe('an organisation below this member', () => {
  test('is registered with the DID of an organisation', async () => {
    const { acceptIdentity, database, spare } = await anIdentityAcceptance();
    const request = { name: 'daughter', type: 'org', parent: 'alice', key: spare };
    expect(await acceptIdentity('default', request)).toMatchObject({ did: 'did:parley:org/daughter', parent: own.did });
    const [operation] = await rowsOf(database, 'operations');
    expect(operation?.input).toEqual({ type: 'add_key', name: 'daughter', key: spare, isOrganization: true });
  });
  test('is refused without its parent, below another member, or with a name that any identity has', async () => {
    const { acceptIdentity, spare } = await anIdentityAcceptance();
    const org = { name: 'daughter', type: 'org', key: spare };
    const refused = [
      [org, 'PY1501'],
      [{ ...org, parent: 'bob' }, 'PY1502'],
      [{ ...org, parent: 'alice', name: 'bob' }, 'FF10193'],
      [{ ...org, parent: 'alice', name: 'alice-desk' }, 'FF10193'],
      [{ name: 'bob', key: spare }, 'FF10193'],
    ] as const;
    for (const [request, code] of refused) {
      expect([request, await codeOfAsync(() => acceptIdentity('default', request))]).toEqual([request, code]);
    }
  });
  test('is refused in a network whose rules do not have them', async () => {
    const { acceptIdentity, database, spare } = await anIdentityAcceptance({ rules: firstRules });
    const request = { name: 'daughter', type: 'org', parent: 'alice', key: spare };
    expect(await codeOfAsync(() => acceptIdentity('default', request))).toBe('PY1501');
    expect(await rowsOf(database, 'operations')).toEqual([]);
  });
});

describe('before the organisation is a member', () => {
  const daveKey = keyOf(0xda7e);
  const dave = { organization: 'dave', did: organizationDid('dave'), key: daveKey, keys: [daveKey] };
  const requests: readonly IdentityRequest[] = [
    { name: 'till', description: 'The till' },
    { name: 'daughter', type: 'org', parent: 'dave', idempotencyKey: 'register-once' },
    // This name is taken, but PY1501 comes first, so no claim is sent.
    { name: 'bob' },
  ];

  async function expectRefused(acceptance: Awaited<ReturnType<typeof anIdentityAcceptance>>) {
    const { acceptIdentity, database, created } = acceptance;
    for (const request of requests) {
      expect(await codeOfAsync(() => acceptIdentity('default', request))).toBe('PY1501');
    }
    expect(created).toEqual([]);
    for (const table of ['operations', 'transactions', 'messages', 'data', 'events'] as const) {
      expect(await rowsOf(database, table)).toEqual([]);
    }
  }

  test('a registration is refused, and no row and no key is created', async () => {
    await expectRefused(await anIdentityAcceptance({ member: dave }));
  });
  test("a registration is refused while the organisation's key belongs to another member", async () => {
    const acceptance = await anIdentityAcceptance({ member: dave });
    await registerCustom(acceptance.database, { organization: 'bob', name: 'bob-copy', key: daveKey });
    await expectRefused(acceptance);
  });
  test("a registration is refused while an organisation below another member has the organisation's name", async () => {
    const acceptance = await anIdentityAcceptance({ member: dave });
    const below = { organization: 'bob', name: 'dave', key: daveKey, isOrganization: true } as const;
    await registerCustom(acceptance.database, below);
    await expectRefused(acceptance);
  });
});

test('a custom identity without a description has no message', async () => {
  const { acceptIdentity, database, spare } = await anIdentityAcceptance();
  expect((await acceptIdentity('default', { name: 'till', key: spare })).message).toBeUndefined();
  expect(await rowsOf(database, 'messages')).toEqual([]);
});

describe('a key without funds', () => {
  test('is funded by the organisation before its registration if funding is on', async () => {
    const { acceptIdentity, database, spare } = await anIdentityAcceptance({ balance: 0n, fundsKeys: true });
    const { operation } = await acceptIdentity('default', { name: 'till', key: spare });
    const [funding, registration] = await rowsOf(database, 'operations');
    expect(funding).toMatchObject({ input: { type: 'fund_key', key: spare }, lane: registration?.lane });
    expect(registration).toMatchObject({ id: operation, input: { type: 'add_key', key: spare } });
  });

  test('is refused if funding is off, and nothing is stored', async () => {
    const { acceptIdentity, database, spare } = await anIdentityAcceptance({ balance: 0n });
    expect(await codeOfAsync(() => acceptIdentity('default', { name: 'till', key: spare }))).toBe('PY1504');
    expect(await rowsOf(database, 'operations')).toEqual([]);
  });
});
