import { Interface, type ParamType, getAddress } from 'ethers';
import { beforeAll, describe, expect, test } from 'vitest';
import { createErc20Erc721 } from '../../../../src/adapters/token-connector/erc20-erc721.js';
import type { ConnectorCall, FoundPool, TokenEvent, TransferRequest } from '../../../../src/ports/token-connector.js';
import { keys, openTokenWorld, type TokenWorld } from '../../../compliance/token-connector/world.js';
import { codeOf } from '../../../support/codes.js';
import { foreignContract } from '../../../support/foreign-contracts.js';
import { alice as aliceWallet, transfer } from '../../devchain/support.js';

const { alice, bob, carol } = keys;
const factory = `0x${'fa'.repeat(20)}`;
const connector = createErc20Erc721({ address: factory });
const contract = `0x${'11'.repeat(20)}`;
const locatorOf = (schema: string, more = ''): string =>
  `address=${contract}&type=${schema.startsWith('ERC20') ? 'fungible' : 'nonfungible'}&schema=${schema}&block=7${more}`;

const methods = new Interface(
  [
    'mintWithData(address,uint256,bytes)',
    'mintWithData(address,bytes)',
    'mintWithURI(address,bytes,string)',
    'transferWithData(address,address,uint256,bytes)',
    'burnWithData(address,uint256,bytes)',
    'approveWithData(address,uint256,bytes)',
    'setApprovalForAllWithData(address,bool,bytes)',
    'mint(address,uint256)',
    'transfer(address,uint256)',
    'transferFrom(address,address,uint256)',
    'burn(uint256)',
    'burnFrom(address,uint256)',
    'approve(address,uint256)',
    'safeMint(address)',
    'safeMint(address,string)',
    'safeTransferFrom(address,address,uint256)',
    'setApprovalForAll(address,bool)',
    'create(string,string,bool,bytes)',
  ].map((line) => `function ${line}`),
);

/** Returns a call as text: `transfer(0x…, 7)`, with accounts by their names. */
function said({ data, to, value }: Pick<ConnectorCall, 'data' | 'to' | 'value'>): string {
  expect([to === contract || to === factory, value]).toEqual([true, '0']);
  const call = methods.parseTransaction({ data });
  const names = new Map(Object.entries(keys).map(([name, key]) => [getAddress(key), name]));
  const shown = (argument: unknown, { baseType }: ParamType): string =>
    baseType === 'address' ? (names.get(String(argument)) ?? String(argument)) : String(argument);
  const values = call?.args.map((argument, index) => shown(argument, call.fragment.inputs[index] as ParamType));
  return `${call?.name}(${values?.join(', ')})`;
}

function aRequest(schema: string, more: Partial<TransferRequest> = {}): TransferRequest {
  const rest = { amount: '1', tokenIndex: '5', uri: undefined, config: undefined, data: '{}' };
  return { kind: 'transfer', locator: locatorOf(schema), key: alice, from: alice, to: bob, ...rest, ...more };
}

describe('A locator', () => {
  test.each([
    ['ERC20WithData', '', { type: 'fungible', standard: 'ERC20', decimals: 18, takesData: true }],
    ['ERC20NoData', '&decimals=6', { type: 'fungible', standard: 'ERC20', decimals: 6, takesData: false }],
    ['ERC721WithData', '', { type: 'nonfungible', standard: 'ERC721', decimals: 0, takesData: true }],
    ['ERC721NoData', '', { type: 'nonfungible', standard: 'ERC721', decimals: 0, takesData: false }],
  ])('of the schema %s%s says all of a pool', (schema, more, expected) => {
    const located = connector.locate(locatorOf(schema, more));
    expect(located).toMatchObject({ ...expected, address: contract, block: 7, startId: null, creation: undefined });
    expect(located?.key).toBe(`${contract}/${expected.type}`);
    expect(located?.info).toBe(`{"address":"${contract}","schema":"${schema}"}`);
    // A contract without data does not name the caller either, so its transactions are read.
    expect(located?.source.withInput).toBe(expected.takesData ? undefined : true);
    expect(located?.readsInput).toBe(false);
  });

  test('of a contract that does not emit its data requests inputs, and reads the data there', () => {
    const located = connector.locate(locatorOf('ERC20WithData', '&data=input'));
    expect([located?.source.withInput, located?.readsInput]).toEqual([true, true]);
  });

  test.each([
    locatorOf('ERC20WithData').replace('fungible', 'nonfungible'),
    locatorOf('ERC721NoData').replace('nonfungible', 'fungible'),
    locatorOf('ERC1155'),
    locatorOf('ERC20NoData', '&decimals=18'),
    locatorOf('ERC20NoData').replace('block=7', 'block=07'),
    locatorOf('ERC20NoData').toUpperCase(),
  ])('is never %s', (text) => {
    expect(connector.locate(text)).toBeUndefined();
  });
});

describe('A request', () => {
  test.each([
    ['ERC20WithData', { kind: 'mint' }, 'mintWithData(bob, 1, 0x7b7d)'],
    ['ERC20WithData', { kind: 'transfer' }, 'transferWithData(alice, bob, 1, 0x7b7d)'],
    ['ERC20WithData', { kind: 'burn' }, 'burnWithData(alice, 1, 0x7b7d)'],
    ['ERC20NoData', { kind: 'mint' }, 'mint(bob, 1)'],
    ['ERC20NoData', { kind: 'transfer' }, 'transfer(bob, 1)'],
    ['ERC20NoData', { kind: 'transfer', from: carol }, 'transferFrom(carol, bob, 1)'],
    ['ERC20NoData', { kind: 'burn' }, 'burn(1)'],
    ['ERC20NoData', { kind: 'burn', from: carol }, 'burnFrom(carol, 1)'],
    ['ERC721WithData', { kind: 'mint' }, 'mintWithData(bob, 0x7b7d)'],
    ['ERC721WithData', { kind: 'mint', uri: 'https://a' }, 'mintWithURI(bob, 0x7b7d, https://a)'],
    ['ERC721WithData', { kind: 'transfer' }, 'transferWithData(alice, bob, 5, 0x7b7d)'],
    ['ERC721WithData', { kind: 'burn' }, 'burnWithData(alice, 5, 0x7b7d)'],
    ['ERC721NoData', { kind: 'mint' }, 'safeMint(bob)'],
    ['ERC721NoData', { kind: 'mint', uri: 'https://a' }, 'safeMint(bob, https://a)'],
    ['ERC721NoData', { kind: 'transfer' }, 'safeTransferFrom(alice, bob, 5)'],
    ['ERC721NoData', { kind: 'burn' }, 'burn(5)'],
  ] as const)('for %s, %j, is the call %s', (schema, more, expected) => {
    expect(said(connector.transfer(aRequest(schema, more)))).toBe(expected);
  });

  const unlimited = String(2n ** 256n - 1n);
  const zero = `0x${'0'.repeat(40)}`;

  test.each([
    ['ERC20WithData', true, undefined, `approveWithData(bob, ${unlimited}, 0x7b7d)`],
    [
      'ERC20WithData',
      true,
      '{"allowance":"12345678901234567890"}',
      'approveWithData(bob, 12345678901234567890, 0x7b7d)',
    ],
    ['ERC20WithData', false, '{"allowance":7}', 'approveWithData(bob, 0, 0x7b7d)'],
    ['ERC20NoData', true, '{"allowance":7}', 'approve(bob, 7)'],
    ['ERC721WithData', true, undefined, 'setApprovalForAllWithData(bob, true, 0x7b7d)'],
    ['ERC721WithData', true, '{"tokenIndex":"5"}', 'approveWithData(bob, 5, 0x7b7d)'],
    ['ERC721WithData', false, '{"tokenIndex":5}', `approveWithData(${zero}, 5, 0x7b7d)`],
    ['ERC721NoData', false, undefined, 'setApprovalForAll(bob, false)'],
    ['ERC721NoData', true, '{"tokenIndex":5}', 'approve(bob, 5)'],
  ])('to approve for %s, %s, %s, is the call %s', (schema, approved, config, expected) => {
    const request = {
      locator: locatorOf(schema),
      key: alice,
      operator: bob,
      approved,
      config: config as never,
      data: '{}',
    };
    expect(said(connector.approve(request))).toBe(expected);
  });

  test.each([
    ['ERC20WithData', '{"tokenIndex":"5"}'],
    ['ERC20NoData', '{"tokenIndex":5}'],
    ['ERC721WithData', '{"allowance":"5"}'],
    ['ERC721NoData', '{"allowance":5}'],
  ])('to approve for %s of only %s is refused, not given for all', (schema, config) => {
    const locator = locatorOf(schema);
    const request = { locator, key: alice, operator: bob, approved: true, config: config as never, data: '{}' };
    expect(codeOf(() => connector.approve(request))).toBe('PY1011');
  });

  test.each([
    ['several ERC-721 tokens', 'ERC721WithData', { kind: 'mint', amount: '2' }, 'field_type'],
    ['a URI of fungible tokens', 'ERC20WithData', { kind: 'mint', uri: 'https://a' }, 'field_type'],
    ['a URI that is too long', 'ERC721WithData', { kind: 'mint', uri: 'u'.repeat(1_025) }, 'too_long'],
    ['an index that is no number', 'ERC721WithData', { kind: 'burn', tokenIndex: 'five' }, 'field_type'],
    ['an index beyond 256 bits', 'ERC721WithData', { kind: 'burn', tokenIndex: String(2n ** 256n) }, 'field_type'],
  ] as const)('with %s is refused', (_, schema, more, reason) => {
    expect(() => connector.transfer(aRequest(schema, more))).toThrow(expect.objectContaining({ reason }));
  });

  test('for a pool is a call of the factory, or names an existing contract', () => {
    const create = (config: string | undefined, name = 'coins', symbol: string | undefined = undefined) =>
      connector.createPool({ type: 'fungible', name, symbol, config: config as never }, '{}');
    const created = create(undefined);
    expect(created.kind === 'call' && said(created.call)).toBe('create(coins, , true, 0x7b7d)');
    const address = getAddress(`0x${'ab'.repeat(20)}`);
    const existing = { kind: 'existing', address: address.toLowerCase(), block: undefined };
    expect(create(`{"address":"${address}"}`)).toEqual(existing);
    expect(create(`{"address":"${address}","blockNumber":"12"}`)).toEqual({ ...existing, block: 12 });
    const wrong = expect.objectContaining({ reason: 'field_type' });
    expect(() => create(`{"address":"${address}","blockNumber":"latest"}`)).toThrow(wrong);
    expect(() => create(undefined, 'coins', 's'.repeat(65))).toThrow(expect.objectContaining({ reason: 'too_long' }));
  });
});

describe('A contract that others have deployed', () => {
  let world: TokenWorld;
  let block: number;
  const addresses = new Map<string, string>();

  beforeAll(async () => {
    world = await openTokenWorld(() => Promise.resolve(connector));
    for (const name of ['PlainCoin', 'PlainDeed', 'SilentCoin'] as const) {
      const { address } = await world.contracts.deploy(aliceWallet, foreignContract(name));
      addresses.set(name, address.toLowerCase());
    }
    block = 1;
    await world.contracts.mine(aliceWallet, {});
    // The compiler is slow on a shared machine.
  }, 120_000);

  function inspect(type: 'fungible' | 'nonfungible', name: string, from?: number): Promise<FoundPool> {
    const address = addresses.get(name) ?? name;
    const request = { type, name: 'a', symbol: undefined, config: undefined } as const;
    return connector.inspect(request, { address, block: from }, world.ask, world.head());
  }

  async function events(request: TransferRequest): Promise<readonly TokenEvent[]> {
    return world.read(request.key, connector.transfer(request));
  }

  test('is recognised by its own answers, and read from the block of its deployment', async () => {
    const at = (name: string): string | undefined => addresses.get(name);
    const locators = {
      PlainCoin: `address=${at('PlainCoin')}&type=fungible&schema=ERC20NoData&block=${block}&decimals=6`,
      PlainDeed: `address=${at('PlainDeed')}&type=nonfungible&schema=ERC721NoData&block=${block + 1}`,
      SilentCoin: `address=${at('SilentCoin')}&type=fungible&schema=ERC20WithData&block=${block + 2}&data=input`,
    };
    expect(await inspect('fungible', 'PlainCoin')).toEqual({ locator: locators.PlainCoin, creator: null });
    expect(await inspect('nonfungible', 'PlainDeed')).toEqual({ locator: locators.PlainDeed, creator: null });
    expect(await inspect('fungible', 'SilentCoin')).toEqual({ locator: locators.SilentCoin, creator: null });
    expect((await inspect('nonfungible', 'PlainDeed', 0)).locator).toContain('&block=0');
  });

  test.each([
    ['fungible', 'PlainDeed'],
    ['nonfungible', 'PlainCoin'],
    ['fungible', carol],
    ['nonfungible', carol],
  ] as const)('is refused as %s when it is %s', async (type, name) => {
    await expect(inspect(type, name)).rejects.toMatchObject({ reason: 'field_type' });
  });

  test('is refused if it should be read from a block that the chain does not have yet', async () => {
    const head = world.head();
    await expect(inspect('fungible', 'PlainCoin', head + 1)).rejects.toMatchObject({ reason: 'field_type' });
    expect((await inspect('fungible', 'PlainCoin', head)).locator).toContain(`&block=${head}&`);
  });

  test('is used by the standard calls, and its events are read without data', async () => {
    const { locator } = await inspect('fungible', 'PlainCoin');
    const ofCoins = (more: Partial<TransferRequest>): TransferRequest => aRequest('ERC20NoData', { locator, ...more });
    const minted = await events(ofCoins({ kind: 'mint', to: alice, amount: '50' }));
    expect(minted).toMatchObject([
      { kind: 'mint', signer: alice, from: null, to: alice, amount: '50', data: undefined },
    ]);
    const moved = await events(ofCoins({ amount: '20' }));
    expect(moved).toMatchObject([
      { kind: 'transfer', signer: alice, from: alice, to: bob, amount: '20', tokenIndex: null },
    ]);
    const { logs } = await world.make(alice, connector.transfer(ofCoins({ kind: 'mint', to: bob })));
    const signed = logs.map((log) => ({ ...log, sender: alice }));
    expect(connector.events(signed)).toMatchObject([{ kind: 'mint', signer: bob, sender: alice }]);
    expect(await events(ofCoins({ kind: 'burn', amount: '1' }))).toMatchObject([
      { kind: 'burn', to: null, amount: '1' },
    ]);
    const allowance = {
      locator,
      key: alice,
      operator: bob,
      approved: true,
      config: '{"allowance":9}' as never,
      data: '',
    };
    const [approval] = await world.read(alice, connector.approve(allowance));
    expect(approval).toMatchObject({
      type: 'approval',
      signer: alice,
      operator: bob,
      approved: true,
      subject: `${alice}:${bob}`,
    });
    expect(approval?.type === 'approval' && approval.info).toContain('"value":"9"');
  });

  test('with tokens counted from 0 has the token 0', async () => {
    const { locator } = await inspect('nonfungible', 'PlainDeed');
    const ofDeeds = (more: Partial<TransferRequest>): TransferRequest => aRequest('ERC721NoData', { locator, ...more });
    const minted = await events(ofDeeds({ kind: 'mint', to: alice }));
    expect(minted).toMatchObject([{ kind: 'mint', to: alice, tokenIndex: '0', amount: '1', uri: null }]);
    const one = { locator, key: alice, operator: bob, approved: true, config: '{"tokenIndex":0}' as never, data: '' };
    expect(await world.read(alice, connector.approve(one))).toMatchObject([
      { approved: true, operator: bob, subject: '0' },
    ]);
    const none = await world.read(alice, connector.approve({ ...one, approved: false }));
    expect(none).toMatchObject([{ approved: false, signer: alice, subject: '0' }]);
    expect(await events(ofDeeds({ tokenIndex: '0' }))).toMatchObject([{ kind: 'transfer', from: alice, to: bob }]);
    const burnt = await events(ofDeeds({ kind: 'burn', key: bob, from: bob, tokenIndex: '0' }));
    expect(burnt).toMatchObject([{ kind: 'burn', from: bob, to: null, tokenIndex: '0' }]);
  });

  test('that takes data but does not emit it has it in the input of its transactions', async () => {
    const { locator } = await inspect('fungible', 'SilentCoin');
    const call = connector.transfer(
      aRequest('ERC20WithData', { locator, kind: 'mint', to: alice, data: '{"tx":"1"}' }),
    );
    const { logs } = await world.make(alice, call);
    expect(connector.events(logs).map(({ data }) => data)).toEqual([undefined]);
    const withInput = logs.map((log) => ({ ...log, input: call.data }));
    expect(connector.events(withInput).map(({ data }) => data)).toEqual(['{"tx":"1"}']);
    for (const input of ['0x', '0x12345678', call.data.slice(0, 40), await transfer(aliceWallet, 0)]) {
      expect(connector.events(logs.map((log) => ({ ...log, input }))).map(({ data }) => data)).toEqual([undefined]);
    }
  });
});
