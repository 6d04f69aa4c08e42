import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { compact } from '../../src/wire/json-reader.js';
import { textOf } from '../../src/wire/json.js';
import type { TokenPool } from '../../src/wire/token.js';
import { startTokenNetwork, type TokenNetwork, type TokenParty } from '../support/token-network.js';

let network: TokenNetwork;
let coins: TokenPool;

beforeAll(async () => {
  network = await startTokenNetwork({ connectors: 1 });
  const { value } = await network.alice.client.createTokenPool({
    body: { name: 'coins', type: 'fungible', symbol: 'CN' },
    query: { confirm: true },
  });
  coins = value;
});
afterAll(() => network.stop());

/** What each party's node says that keys hold of a pool, once all say the same. */
async function balances(pool: string): Promise<Record<string, string>> {
  const each = await Promise.all(network.parties.map((party) => balancesAt(party, pool)));
  expect(each[1]).toEqual(each[0]);
  expect(each[2]).toEqual(each[0]);
  return each[0] ?? {};
}

async function balancesAt({ client }: TokenParty, pool: string): Promise<Record<string, string>> {
  const { value } = await client.listTokenBalances({ query: { pool } });
  return Object.fromEntries(value.map(({ key, balance }) => [key, balance]));
}

const eventually = <T>(look: () => Promise<T>) => vi.waitFor(look, { timeout: 20_000, interval: 20 });

describe('a pool', () => {
  it('is confirmed with what the chain says of it, published and active', () => {
    expect(coins).toMatchObject({
      name: 'coins',
      networkName: 'coins',
      type: 'fungible',
      standard: 'ERC1155',
      decimals: 0,
      symbol: 'CN',
      connector: 'erc1155',
      key: network.alice.key,
      active: true,
      published: true,
      message: expect.any(String),
      tx: { type: 'token_pool' },
    });
    expect(coins.locator).toContain(`address=${network.tokenPools}&type=fungible&startId=0x`);
  });

  it('is the same at every party, under its name and its id', async () => {
    for (const { client } of network.parties) {
      await eventually(async () => {
        const { value } = await client.getTokenPool({ path: { nameOrId: 'coins' } });
        expect(value).toMatchObject({ id: coins.id, active: true, locator: coins.locator });
      });
      const { value } = await client.getTokenPool({ path: { nameOrId: coins.id } });
      expect(value.name).toBe('coins');
    }
  });
});

describe('a mint with a private message', () => {
  it('is confirmed with the transfer as the chain has it, and its message at those who are meant alone', async () => {
    const { alice, bob, carol } = network;
    const { value: transfer } = await alice.client.mintTokens({
      body: {
        amount: compact('10'),
        to: 'bob',
        message: {
          header: { type: 'transfer_private', tag: 'grant' },
          group: { members: [{ identity: 'bob' }] },
          data: [{ value: textOf('ten for you') }],
        },
      },
      query: { confirm: true },
    });
    expect(transfer).toMatchObject({ type: 'mint', key: alice.key, to: bob.key, amount: '10', pool: coins.id });
    const path = { msgid: transfer.message ?? '' };
    const { value: sent } = await alice.client.getMessage({ path });
    expect(sent).toMatchObject({
      state: 'confirmed',
      hash: transfer.messageHash,
      header: { type: 'transfer_private' },
    });
    await eventually(async () => {
      const { value: received } = await bob.client.getMessage({ path });
      expect(received).toMatchObject({ state: 'confirmed', hash: transfer.messageHash });
    });
    await eventually(async () => {
      const query = { message: path.msgid };
      const { value: seen } = await carol.client.listTokenTransfers({ query });
      expect(seen).toMatchObject([{ messageHash: transfer.messageHash, amount: '10', to: bob.key }]);
    });
    await expect(carol.client.getMessage({ path })).rejects.toThrow('FF10109');
    await eventually(async () => expect(await balances('coins')).toEqual({ [bob.key]: '10' }));
  });
});
