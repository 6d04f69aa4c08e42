import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compact } from '../../../src/wire/json/json-reader.js';
import type { TransactionStatus } from '../../../src/wire/chain/transaction.js';
import { textOf, valueOf } from '../../../src/wire/json/json.js';
import { eventually } from '../../support/eventually.js';
import { foreignContract } from '../../support/foreign-contracts.js';
import { expectBalances, makePool, refusalOf } from '../../support/token-calls.js';
import { startTokenNetwork, type TokenNetwork, type TokenParty } from '../../support/token-network.js';

const confirm = { confirm: true } as const;
const erc1155 = { type: 'fungible', connector: 'erc1155' } as const;

let network: TokenNetwork;

beforeAll(async () => {
  network = await startTokenNetwork();
});
afterAll(() => network.stop());

/** Returns the status of a transaction at a party. */
async function statusAt({ client }: TokenParty, transactionid = ''): Promise<TransactionStatus> {
  return (await client.getTransactionStatus({ path: { transactionid } })).value;
}

describe('an unpublished pool', () => {
  it('is active only at its creator, who sees its tokens', async () => {
    const { alice, bob } = network;
    const { value, status } = await alice.client.createTokenPool({
      body: { ...erc1155, name: 'private' },
      query: { ...confirm, publish: false },
    });
    expect([status, value]).toMatchObject([200, { active: true, published: false, standard: 'ERC1155' }]);
    expect([value.message, value.networkName]).toEqual([undefined, undefined]);
    const body = { pool: 'private', amount: compact('5') };
    await alice.client.mintTokens({ body, query: confirm });
    const { value: balances } = await alice.client.listTokenBalances({ query: { pool: 'private' } });
    expect(balances).toMatchObject([{ key: alice.key, balance: '5' }]);
    expect(await refusalOf(bob.client.getTokenPool({ path: { nameOrId: value.id } }))).toMatchObject({ status: 404 });
  });

  it('accepts no messages, which no other party could match', async () => {
    const { client } = network.alice;
    const message = { data: [{ value: textOf('x') }] };
    const call = client.mintTokens({ body: { pool: 'private', amount: compact('1'), message } });
    expect(await refusalOf(call)).toEqual({ status: 400, code: 'PY1403' });
  });

  it('has its history at all parties once it is published, under the name that it is given', async () => {
    const { alice, bob } = network;
    const { value, status } = await alice.client.publishTokenPool({
      path: { nameOrId: 'private' },
      body: { networkName: 'shared' },
      query: confirm,
    });
    expect([status, value]).toMatchObject([200, { name: 'private', networkName: 'shared', published: true }]);
    await eventually(async () => {
      const { value: theirs } = await bob.client.getTokenPool({ path: { nameOrId: 'shared' } });
      expect(theirs).toMatchObject({ id: value.id, active: true, published: true, networkName: 'shared' });
    });
    await eventually(async () => {
      const { value: transfers } = await bob.client.listTokenTransfers({ query: { pool: 'shared' } });
      expect(transfers).toMatchObject([{ type: 'mint', amount: '5', to: alice.key }]);
    });
    const path = { nameOrId: 'private' };
    const again = alice.client.publishTokenPool({ path, body: {} });
    expect(await refusalOf(again)).toEqual({ status: 409, code: 'FF10450' });
    expect(await refusalOf(alice.client.deleteTokenPool({ path }))).toEqual({ status: 409, code: 'FF10449' });
  });

  it('can be deleted with its history, and its name is free again', async () => {
    const { client } = network.alice;
    const body = { ...erc1155, name: 'draft' };
    const { value } = await client.createTokenPool({ body, query: { ...confirm, publish: false } });
    await client.mintTokens({ body: { pool: 'draft', amount: compact('7') }, query: confirm });
    await refusalOf(client.burnTokens({ body: { pool: 'draft', amount: compact('8') }, query: confirm }));
    const [failed] = (await client.listOperations({ query: { status: 'Failed', limit: 1 } })).value;
    const { status } = await client.deleteTokenPool({ path: { nameOrId: 'draft' } });
    expect(status).toBe(204);
    expect(await statusAt(network.alice, value.tx?.id)).toMatchObject({ status: 'Succeeded' });
    expect(await refusalOf(client.getTokenPool({ path: { nameOrId: value.id } }))).toMatchObject({ status: 404 });
    const query = { pool: value.id };
    expect((await client.listTokenTransfers({ query })).value).toEqual([]);
    expect((await client.listTokenBalances({ query })).value).toEqual([]);
    const retry = client.retryOperation({ path: { operationid: failed?.id ?? '' } });
    expect(await refusalOf(retry)).toEqual({ status: 409, code: 'PY1301' });
    await client.createTokenPool({ body, query: { ...confirm, publish: false } });
    await client.deleteTokenPool({ path: { nameOrId: 'draft' } });
  });
});

describe('pools of all parties', () => {
  it('have unique names in the network: of two the second is rejected and removed', async () => {
    const { alice, bob } = network;
    await makePool(network, { ...erc1155, name: 'gold' });
    const body = { ...erc1155, name: 'bobs-gold', networkName: 'gold' };
    expect(await refusalOf(bob.client.createTokenPool({ body }))).toEqual({ status: 409, code: 'FF10448' });
    // Requested at once, neither knows of the other's pool yet: the order of the chain decides.
    const silver = { ...erc1155, name: 'silver' };
    const answers = await Promise.allSettled(
      [alice, bob].map(({ client }) => client.createTokenPool({ body: silver, query: confirm })),
    );
    const lost = answers.flatMap((answer) => (answer.status === 'rejected' ? [String(answer.reason)] : []));
    expect(lost).toHaveLength(1);
    expect(lost[0]).toContain('FF10276');
    const loser = answers[0]?.status === 'rejected' ? alice : bob;
    const { value: transactions } = await loser.client.listTransactions({ query: { type: 'token_pool', limit: 2 } });
    const statuses = await Promise.all(transactions.map(({ id }) => statusAt(loser, id)));
    expect(statuses.find(({ status }) => status === 'Failed')?.details).toContainEqual(
      expect.objectContaining({ type: 'TokenPool', error: expect.stringContaining('FF10407') }),
    );
    for (const { client } of network.parties) {
      await eventually(async () => {
        // A node where the losing pool came first shows the other under another local name.
        const { value } = await client.listTokenPools({ query: { name: '^silver' } });
        expect(value).toMatchObject([{ networkName: 'silver', active: true, published: true }]);
      });
    }
  });

  it('are created once for an idempotency key', async () => {
    const { client } = network.alice;
    const body = { ...erc1155, name: 'once', idempotencyKey: 'pool-once' };
    const { value } = await client.createTokenPool({ body });
    const again = await refusalOf(client.createTokenPool({ body: { ...body, name: 'twice' } }));
    expect(again).toEqual({ status: 409, code: 'FF10431' });
    const { value: transaction } = await client.getTransaction({ path: { transactionid: value.tx?.id ?? '' } });
    expect(transaction).toMatchObject({ type: 'token_pool', idempotencyKey: 'pool-once' });
    await eventually(async () => {
      expect((await client.getTokenPool({ path: { nameOrId: 'once' } })).value.active).toBe(true);
    });
  });

  it('need a connector if there are several', async () => {
    const { client } = network.carol;
    const call = client.createTokenPool({ body: { name: 'any', type: 'fungible' } });
    expect(await refusalOf(call)).toEqual({ status: 400, code: 'FF10292' });
    expect((await client.listTokenConnectors()).value).toEqual([{ name: 'erc1155' }, { name: 'erc20_erc721' }]);
  });

  it('can use an existing contract, and include its earlier history', async () => {
    const { alice, bob, deploy } = network;
    const address = await deploy('Erc20Pool', 'Own', 'OWN', alice.key);
    const config = textOf({ address });
    const { value } = await alice.client.createTokenPool({
      body: { name: 'own', type: 'fungible', connector: 'erc20_erc721', config },
      query: confirm,
    });
    expect(value.locator).toContain(`address=${address}`);
    expect(value).toMatchObject({ standard: 'ERC20', decimals: 18, active: true });
    await alice.client.mintTokens({ body: { pool: 'own', amount: compact('9'), to: 'bob' }, query: confirm });
    await expectBalances(network, 'own', { [bob.key]: '9' });
  });

  it('fail visibly if the contract is of another kind, and can be deleted', async () => {
    const { client } = network.alice;
    const config = textOf({ address: network.bob.key });
    const call = client.createTokenPool({
      body: { name: 'nothing', type: 'fungible', connector: 'erc20_erc721', config },
      query: confirm,
    });
    expect(await refusalOf(call)).toEqual({ status: 409, code: 'PY1302' });
    const { value } = await client.getTokenPool({ path: { nameOrId: 'nothing' } });
    expect(value.active).toBe(false);
    const mint = client.mintTokens({ body: { pool: 'nothing', amount: compact('1') } });
    expect(await refusalOf(mint)).toEqual({ status: 409, code: 'FF10293' });
    const query = { type: 'token_pool_op_failed', correlator: value.id };
    expect((await client.listEvents({ query })).value).toMatchObject([{ topic: value.id }]);
    await client.deleteTokenPool({ path: { nameOrId: 'nothing' } });
  });
});

describe('a pool over a contract whose events do not name the caller', () => {
  async function deployAt(name: 'PlainCoin' | 'PlainDeed'): Promise<string> {
    const { abi, bytecode } = foreignContract(name);
    const body = { definition: textOf(abi), contract: bytecode };
    const { value } = await network.alice.client.deployContract({ body, query: confirm });
    return String(Object(Object(valueOf(value.output ?? textOf({}))).contractLocation).address);
  }

  it.each([
    ['fungible', 'PlainCoin', {}],
    ['nonfungible', 'PlainDeed', { tokenIndex: compact('0') }],
  ] as const)('has, when %s, the key that signed each transfer, at every party', async (type, contract, token) => {
    const { alice, bob, carol } = network;
    const config = textOf({ address: await deployAt(contract) });
    const body = { name: contract, type, connector: 'erc20_erc721', config };
    await alice.client.createTokenPool({ body, query: { ...confirm, publish: false } });
    const one = { pool: contract, amount: compact('1') };
    // The others read it as history.
    const { value: minted } = await alice.client.mintTokens({ body: { ...one, to: 'bob' }, query: confirm });
    expect(minted.key).toBe(alice.key);
    await alice.client.publishTokenPool({ path: { nameOrId: contract }, body: {}, query: confirm });
    await eventually(async () => {
      expect((await bob.client.getTokenPool({ path: { nameOrId: contract } })).value.active).toBe(true);
    });
    await bob.client.approveTokens({ body: { pool: contract, operator: 'alice' }, query: confirm });
    const onBehalf = { ...one, ...token, from: 'bob', to: 'carol' };
    await alice.client.transferTokens({ body: onBehalf, query: confirm });
    for (const { client } of network.parties) {
      await eventually(async () => {
        const { value } = await client.listTokenTransfers({ query: { pool: contract, sort: 'protocolid' } });
        expect(value).toMatchObject([
          { type: 'mint', key: alice.key, to: bob.key },
          { type: 'transfer', key: alice.key, from: bob.key, to: carol.key },
        ]);
        const { value: approvals } = await client.listTokenApprovals({ query: { pool: contract } });
        expect(approvals).toMatchObject([{ key: bob.key, operator: alice.key }]);
      });
    }
  });
});
