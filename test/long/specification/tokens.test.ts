import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createThreeParties, type Json } from '../../e2e/fixtures/three-parties.js';

/** Token pools, their operations and messages, as applications find them on a running stack. */

const uuid = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/) as string;
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z$/) as string;

const stack = createThreeParties('tokens');
const keys: Record<string, string> = {};
beforeAll(async () => {
  await stack.start();
  for (const party of stack.parties) keys[party] = await keyOf(party);
});
afterAll(stack.remove);

async function keyOf(party: string): Promise<string> {
  const { org } = await stack.get<{ readonly org: { readonly verifiers: readonly { readonly value: string }[] } }>(
    '/api/v1/status',
    party,
  );
  return org.verifiers[0]?.value ?? '';
}

interface Operation extends Json {
  readonly localId: string;
}
const done = (path: string, body: object, party = 'alice') =>
  stack.post<Operation>(`tokens/${path}?confirm=true`, JSON.stringify(body), { party, status: 200 });
/** Expects that an operation of a party fails, at once or later. */
async function expectDenial(path: string, body: object, party: string): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const options = { method: 'POST', headers, body: JSON.stringify(body) };
  const response = await fetch(stack.addressOf(`tokens/${path}?confirm=true`, party), options);
  expect(response.status).toBeGreaterThanOrEqual(400);
  expect(await response.text()).toMatch(/^\{"error":"(FF|PY)\d+: /);
}
const refusal = async (path: string, body: object, status = 400, party = 'alice') => {
  const answer = await stack.post<{ readonly error: string }>(`tokens/${path}`, JSON.stringify(body), {
    party,
    status,
  });
  return answer.error.slice(0, 7);
};
const balanceOf = async (pool: string, party: string, at = 'alice') => {
  const { id } = await stack.get<{ readonly id: string }>(`tokens/pools/${pool}`, at);
  const query = `tokens/balances?pool=${id}&key=${keys[party] ?? ''}`;
  return (await stack.get<readonly { readonly balance: string }[]>(query, at)).map(({ balance }) => Number(balance));
};
const transferAt = async (party: string, { protocolId, pool }: Json) =>
  (await stack.get<readonly Json[]>(`tokens/transfers?protocolid=${String(protocolId)}`, party)).filter(
    (each) => each['pool'] === pool,
  );

describe('A token pool', () => {
  test('needs a name and a type, fungible or nonfungible', async () => {
    const connector = 'erc1155';
    expect(await refusal('pools', { type: 'fungible', connector })).toBe('FF00112');
    expect(await refusal('pools', { name: 'untyped', connector })).toBe('FF00112');
    expect(await refusal('pools', { name: 'odd', type: 'liquid', connector })).toBe('FF00172');
  });

  test('needs a connector, since there are several', async () => {
    expect(await refusal('pools', { name: 'where', type: 'fungible' })).toMatch(/^(FF|PY)\d+/);
    expect(await refusal('pools', { name: 'where', type: 'fungible', connector: 'none' })).toMatch(/^(FF|PY)\d+/);
  });

  test.each([
    ['gold', 'fungible', {}],
    ['art', 'nonfungible', { config: {} }],
    ['keyed', 'fungible', { key: true }],
  ] as const)('named %s is %s and known to all parties', async (name, type, more) => {
    const key = 'key' in more ? { key: keys['alice'] } : more;
    const made = await done('pools', { name, type, connector: 'erc1155', ...key });
    expect(made).toMatchObject({ id: uuid, name, type, namespace: 'default', connector: 'erc1155', created: time });
    for (const party of stack.parties) {
      const found = () => stack.get<readonly Json[]>(`tokens/pools?name=${name}`, party);
      await expect.poll(found).toMatchObject([{ id: made['id'], type, active: true, key: keys['alice'] }]);
    }
  });
});

describe('A mint', () => {
  test('needs an amount and, with several pools, a pool', async () => {
    expect(await refusal('mint', { pool: 'gold' })).toBe('FF00112');
    expect(await refusal('mint', { amount: 1 })).toMatch(/^(FF|PY)\d+/);
  });

  test('accepts the amount as a number or as digits, and mints to the key that signs it', async () => {
    const one = await done('mint', { pool: 'gold', amount: 100 });
    const two = await done('mint', { pool: 'gold', amount: '23' });
    for (const mint of [one, two]) expect(mint).toMatchObject({ type: 'mint', key: keys['alice'], to: keys['alice'] });
    await expect.poll(() => balanceOf('gold', 'alice')).toEqual([123]);
  });

  test('mints to the named recipient, and every party has it in its history and its balances', async () => {
    const mint = await done('mint', { pool: 'gold', amount: 7, to: keys['bob'], key: keys['alice'] });
    for (const party of stack.parties) {
      await expect.poll(() => transferAt(party, mint)).toMatchObject([{ type: 'mint', amount: '7', to: keys['bob'] }]);
      await expect.poll(() => balanceOf('gold', 'bob', party)).toEqual([7]);
    }
  });

  test('is allowed only for the creator of the pool', async () => {
    await expectDenial('mint', { pool: 'gold', amount: 1 }, 'bob');
    for (const party of stack.parties) expect(await balanceOf('gold', 'bob', party)).toEqual([7]);
  });

  test('mints tokens with their own indexes in a nonfungible pool', async () => {
    const first = await done('mint', { pool: 'art', amount: 1 });
    const second = await done('mint', { pool: 'art', amount: 1 });
    expect(first['tokenIndex']).not.toBe(second['tokenIndex']);
    expect(first['tokenIndex']).toMatch(/^\d+$/);
  });
});

describe('A transfer', () => {
  test('needs amount, destination and, with several pools, a pool', async () => {
    expect(await refusal('transfers', { pool: 'gold', to: keys['bob'] })).toBe('FF00112');
    expect(await refusal('transfers', { pool: 'gold', amount: 1 })).toMatch(/^(FF|PY)\d+/);
    expect(await refusal('transfers', { amount: 1, to: keys['bob'] })).toMatch(/^(FF|PY)\d+/);
  });

  test('moves tokens of its key to another, and all balances follow', async () => {
    const moved = await done('transfers', { pool: 'gold', amount: 20, to: keys['carol'] });
    expect(moved).toMatchObject({ type: 'transfer', from: keys['alice'], key: keys['alice'], to: keys['carol'] });
    for (const party of stack.parties) {
      await expect.poll(() => balanceOf('gold', 'carol', party)).toEqual([20]);
      await expect.poll(() => balanceOf('gold', 'alice', party)).toEqual([103]);
    }
  });

  test('is allowed only for the owner of the tokens', async () => {
    const theft = { pool: 'gold', amount: 5, from: keys['alice'], to: keys['bob'] };
    await expectDenial('transfers', theft, 'bob');
    expect(await balanceOf('gold', 'alice')).toEqual([103]);
  });

  test('of a nonfungible pool needs the index, and an amount of 1', async () => {
    const { tokenIndex } = await done('mint', { pool: 'art', amount: 1 });
    const to = keys['bob'];
    expect(await refusal('transfers', { pool: 'art', amount: 1, to })).toMatch(/^(FF|PY)\d+/);
    expect(await refusal('transfers', { pool: 'art', amount: 2, to, tokenIndex })).toMatch(/^(FF|PY)\d+/);
    const moved = await done('transfers', { pool: 'art', amount: 1, to, tokenIndex });
    expect(moved).toMatchObject({ tokenIndex, to });
  });
});

describe('A burn', () => {
  test('needs an amount and, with several pools, a pool', async () => {
    expect(await refusal('burn', { pool: 'gold' })).toBe('FF00112');
    expect(await refusal('burn', { amount: 1 })).toMatch(/^(FF|PY)\d+/);
  });

  test('removes tokens of its key', async () => {
    const burned = await done('burn', { pool: 'gold', amount: 3 });
    expect(burned).toMatchObject({ type: 'burn', from: keys['alice'], amount: '3' });
    for (const party of stack.parties) await expect.poll(() => balanceOf('gold', 'alice', party)).toEqual([100]);
  });

  test('is allowed only for the owner, and needs the index in a nonfungible pool', async () => {
    const { tokenIndex } = await done('mint', { pool: 'art', amount: 1 });
    expect(await refusal('burn', { pool: 'art', amount: 1 })).toMatch(/^(FF|PY)\d+/);
    await expectDenial('burn', { pool: 'art', amount: 1, tokenIndex, from: keys['alice'] }, 'bob');
    expect(await done('burn', { pool: 'art', amount: 1, tokenIndex })).toMatchObject({ type: 'burn', tokenIndex });
  });
});

describe('A message with an operation', () => {
  const inPublic = { header: { tag: 'public', topics: ['tokens'] }, data: [{ value: 'for all' }] };
  const inPrivate = {
    header: { type: 'transfer_private', tag: 'private' },
    group: { members: [{ identity: 'bob' }] },
    data: [{ value: 'for bob' }],
  };

  test.each([
    ['mint', {}],
    ['transfers', { to: true }],
    ['burn', {}],
  ] as const)('%s is a broadcast without group, pinned and seen by all with the operation', async (path, more) => {
    const to = 'to' in more ? { to: keys['carol'] } : {};
    const operation = await done(path, { pool: 'gold', amount: 1, ...to, message: inPublic });
    const id = String(operation['message']);
    for (const party of stack.parties) {
      const message = await stack.confirmed(id, party);
      expect(message).toMatchObject({
        header: { type: 'broadcast', txtype: 'batch_pin', tag: 'public', topics: ['tokens'] },
        batch: uuid,
      });
      await expect
        .poll(() => transferAt(party, operation))
        .toMatchObject([{ message: id, messageHash: message['hash'] }]);
      expect(await stack.get(`messages/${id}/data`, party)).toMatchObject([{ value: 'for all' }]);
    }
  });

  test.each([
    ['mint', {}],
    ['transfers', { to: true }],
    ['burn', {}],
  ] as const)('%s is private with a group: all see the operation with id and hash', async (path, more) => {
    const to = 'to' in more ? { to: keys['carol'] } : {};
    const operation = await done(path, { pool: 'gold', amount: 1, ...to, message: inPrivate });
    const id = String(operation['message']);
    const here = await stack.confirmed(id, 'bob');
    expect(here).toMatchObject({ header: { type: 'transfer_private', group: expect.any(String) as string } });
    for (const party of stack.parties) {
      await expect.poll(() => transferAt(party, operation)).toMatchObject([{ message: id, messageHash: here['hash'] }]);
    }
    expect(await stack.get(`messages/${id}/data`, 'bob')).toMatchObject([{ value: 'for bob' }]);
    for (const address of [`messages/${id}`, `messages/${id}/data`]) {
      expect((await fetch(stack.addressOf(address, 'carol'))).status).toBe(404);
    }
  });
});
