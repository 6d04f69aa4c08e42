import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compact } from '../../../src/wire/json/json-reader.js';
import { textOf } from '../../../src/wire/json/json.js';
import type { TokenPool } from '../../../src/wire/token.js';
import { eventually } from '../../support/eventually.js';
import { expectBalances, expectNothingPending, makePool, refusalOf } from '../../support/token-calls.js';
import { startTokenNetwork, type TokenNetwork } from '../../support/token-network.js';

const max = String(2n ** 256n - 1n);
const confirm = { confirm: true } as const;

let network: TokenNetwork;

beforeAll(async () => {
  network = await startTokenNetwork();
});
afterAll(() => network.stop());

describe.each(['erc1155', 'erc20_erc721'])('fungible tokens of %s', (connector) => {
  const name = `coins-${connector.slice(0, 5)}`;
  let pool: TokenPool;
  beforeAll(async () => {
    pool = await makePool(network, { name, type: 'fungible', connector });
  });

  it("are in a pool with the chain's information about it, the same at every party", async () => {
    const { alice, parties } = network;
    expect(pool).toMatchObject({ name, networkName: name, connector, key: alice.key, published: true });
    for (const { client } of parties) {
      const { value } = await client.getTokenPool({ path: { nameOrId: name } });
      const { id, standard, locator, decimals, info } = pool;
      expect(value).toMatchObject({ id, standard, locator, decimals, info, active: true, published: true });
    }
  });

  it('are minted, transferred and burned by name, exactly, and all parties see it', async () => {
    const { alice, bob, carol } = network;
    const amount = compact(max);
    const minted = await alice.client.mintTokens({ body: { pool: name, amount, to: 'bob' }, query: confirm });
    expect([minted.status, minted.value]).toMatchObject([200, { amount: max, to: bob.key, type: 'mint' }]);
    expect(minted.text).toContain(`"amount":"${max}"`);
    await bob.client.transferTokens({
      body: { pool: name, amount: compact(`"${max}"`), to: 'did:parley:org/carol' },
      query: confirm,
    });
    await expectBalances(network, name, { [bob.key]: '0', [carol.key]: max });
    await carol.client.burnTokens({ body: { pool: pool.id, amount: compact('"0x1"') }, query: confirm });
    await expectBalances(network, name, { [bob.key]: '0', [carol.key]: String(BigInt(max) - 1n) });
    await carol.client.burnTokens({ body: { pool: name, amount: compact(String(BigInt(max) - 1n)) }, query: confirm });
    await expectBalances(network, name, { [bob.key]: '0', [carol.key]: '0' });
  });

  it('are listed by sender or recipient, by numbers and by transaction', async () => {
    const { bob, carol } = network;
    const list = async (query: Record<string, string>) => {
      const { value } = await carol.client.listTokenTransfers({ query: { pool: name, ...query } });
      return value.map(({ type }) => type);
    };
    expect(await list({ fromOrTo: bob.key })).toEqual(['transfer', 'mint']);
    expect(await list({ fromOrTo: carol.key.toUpperCase() })).toEqual(['burn', 'burn', 'transfer']);
    expect(await list({ amount: '<2' })).toEqual(['burn']);
    expect(await list({ amount: `>=${max}` })).toEqual(['transfer', 'mint']);
    expect(await list({ from: '?' })).toEqual(['mint']);
    const { value: all } = await carol.client.listTokenTransfers({ query: { pool: pool.id, type: 'transfer' } });
    expect(await list({ 'tx.id': all[0]?.tx?.id ?? '', 'tx.type': 'token_transfer' })).toEqual(['transfer']);
    const { value: one } = await carol.client.getTokenTransfer({ path: { localId: all[0]?.localId ?? '' } });
    expect(one).toEqual(all[0]);
  });

  it('have accounts, each with its pools', async () => {
    const { bob, carol } = network;
    const { value: accounts } = await bob.client.listTokenAccounts();
    expect(accounts).toEqual(expect.arrayContaining([{ key: bob.key }, { key: carol.key }]));
    const { value: pools } = await bob.client.listTokenAccountPools({
      path: { key: carol.key },
      query: { pool: name },
    });
    expect(pools).toEqual([{ pool: pool.id }]);
  });

  it('are sent with a private message, whose data only its recipients see', async () => {
    const { alice, bob, carol } = network;
    const { value: transfer } = await alice.client.mintTokens({
      body: {
        pool: name,
        amount: compact('10'),
        to: 'bob',
        message: {
          header: { type: 'transfer_private', tag: 'grant' },
          group: { members: [{ identity: 'bob' }] },
          data: [{ value: textOf('ten for you') }],
        },
      },
      query: confirm,
    });
    const path = { msgid: transfer.message ?? '' };
    const { value: sent } = await alice.client.getMessage({ path });
    const shown = { state: 'confirmed', hash: transfer.messageHash };
    expect(sent).toMatchObject({ ...shown, header: { type: 'transfer_private', txparent: transfer.tx } });
    await eventually(async () => {
      expect((await bob.client.getMessage({ path })).value).toMatchObject(shown);
    });
    await eventually(async () => {
      const { value: seen } = await carol.client.listTokenTransfers({ query: { message: path.msgid } });
      expect(seen).toMatchObject([{ messageHash: transfer.messageHash, amount: '10', to: bob.key }]);
    });
    expect(await refusalOf(carol.client.getMessage({ path }))).toEqual({ status: 404, code: 'FF10109' });
  });

  it('are sent with a broadcast, which is confirmed at every party after its transfer', async () => {
    const { bob, parties } = network;
    const { value: transfer, status } = await bob.client.transferTokens({
      body: { pool: name, amount: compact('4'), to: 'carol', message: { data: [{ value: textOf('four') }] } },
    });
    expect([status, transfer.from]).toEqual([202, bob.key]);
    for (const { client } of parties) {
      await eventually(async () => {
        const { value } = await client.getMessage({ path: { msgid: transfer.message ?? '' } });
        expect(value).toMatchObject({ state: 'confirmed', header: { type: 'broadcast' } });
      });
      const { value: events } = await client.listEvents({
        query: { type: ['token_transfer_confirmed', 'message_confirmed'], tx: transfer.tx?.id ?? '' },
      });
      expect(events.map(({ type }) => type)).toEqual(['token_transfer_confirmed']);
    }
  });

  it.each([
    ['an overspend', 'bob', 'transferTokens', { amount: compact('1000'), to: 'alice' }],
    ['a mint by another than the creator', 'bob', 'mintTokens', { amount: compact('1') }],
    ['a burn by another than the owner', 'carol', 'burnTokens', { amount: compact('1'), from: 'bob' }],
  ] as const)('of %s fail visibly, with the message, and hold nobody up', async (_, party, call, request) => {
    const { client } = network[party];
    const topic = `failures-${party}-${call}`;
    const message = { header: { topics: [topic] }, data: [{ value: textOf('never') }] };
    const { value } = await client[call]({ body: { pool: name, ...request, message } });
    await eventually(async () => {
      const query = { type: 'token_transfer_op_failed', correlator: value.localId };
      expect((await client.listEvents({ query })).value).toMatchObject([{ topic: pool.id, tx: value.tx?.id }]);
    });
    const { value: operations } = await client.listOperations({ query: { tx: value.tx?.id ?? '' } });
    expect(operations).toMatchObject([{ type: 'token_transfer', status: 'Failed', error: expect.any(String) }]);
    const { value: cancelled } = await client.getMessage({ path: { msgid: value.message ?? '' } });
    expect(cancelled.state).toBe('cancelled');
    expect(await refusalOf(client.getTokenTransfer({ path: { localId: value.localId } }))).toMatchObject({
      status: 404,
    });
    const after = { header: { topics: [topic] }, data: [{ value: textOf('after') }] };
    const { value: next } = await client.broadcastMessage({ body: after, query: confirm });
    expect(next.state).toBe('confirmed');
    await expectNothingPending(network[party]);
  });

  it('are refused at once if the caller waits, with the reason of the contract', async () => {
    const { bob } = network;
    const call = bob.client.mintTokens({ body: { pool: name, amount: compact('1') }, query: confirm });
    expect(await refusalOf(call)).toEqual({ status: 409, code: 'PY1302' });
    const { value } = await bob.client.listOperations({ query: { status: 'Failed', limit: 1 } });
    expect(value[0]?.error).toContain('NotCreator');
  });

  it('are transferred when a premature attempt is retried, with the message', async () => {
    const { alice, bob } = network;
    const message = { data: [{ value: textOf('late') }] };
    const { value } = await bob.client.transferTokens({
      body: { pool: name, amount: compact('500'), to: 'alice', message },
    });
    const query = { tx: value.tx?.id ?? '' };
    const failed = await eventually(async () => {
      const [operation] = (await bob.client.listOperations({ query })).value;
      expect(operation?.status).toBe('Failed');
      return operation;
    });
    await alice.client.mintTokens({ body: { pool: name, amount: compact('500'), to: 'bob' }, query: confirm });
    const path = { operationid: failed?.id ?? '' };
    const { value: again } = await bob.client.retryOperation({ path });
    expect(again).toMatchObject({ type: 'token_transfer', tx: value.tx?.id });
    await eventually(async () => {
      const { value: sent } = await bob.client.getMessage({ path: { msgid: value.message ?? '' } });
      expect(sent.state).toBe('confirmed');
    });
    const { value: transfer } = await bob.client.getTokenTransfer({ path: { localId: value.localId } });
    expect(transfer).toMatchObject({ amount: '500', to: alice.key, message: value.message });
    expect(await refusalOf(bob.client.retryOperation({ path }))).toEqual({ status: 409, code: 'PY1301' });
  });

  it('may be moved by an approved operator, with a message about it', async () => {
    const { alice, bob, parties } = network;
    const message = { group: { members: [{ identity: 'alice' }] }, data: [{ value: textOf('you may') }] };
    const body = { pool: name, operator: 'alice', message };
    const { value: approval } = await bob.client.approveTokens({ body, query: confirm });
    expect(approval).toMatchObject({ key: bob.key, operator: alice.key, approved: true, active: true, pool: pool.id });
    await alice.client.transferTokens({
      body: { pool: name, amount: compact('3'), from: 'bob', to: 'alice' },
      query: confirm,
    });
    await bob.client.approveTokens({ body: { pool: name, operator: 'alice', approved: false }, query: confirm });
    for (const { client } of parties) {
      await eventually(async () => {
        const { value } = await client.listTokenApprovals({ query: { pool: name, operator: alice.key } });
        expect(value.map(({ approved, active }) => [approved, active])).toEqual([
          [false, true],
          [true, false],
        ]);
      });
    }
    const { value: told } = await alice.client.getMessage({ path: { msgid: approval.message ?? '' } });
    expect(told).toMatchObject({ state: 'confirmed', header: { type: 'approval_private' } });
  });
});
