import assert from 'node:assert/strict';
import { type LogDescription, Result, Wallet, ZeroAddress, toUtf8Bytes } from 'ethers';
import { beforeEach, describe, expect, test } from 'vitest';
import { compile } from '../contracts/build.js';
import { artifactOf, type ContractChain, type Deployed, openContractChain } from './support/contract-chain.js';
import { alice, bob } from './unit/devchain/support.js';

const carol = new Wallet(`0x${'77'.repeat(32)}`);
const data = toUtf8Bytes('{"tx":"1","txtype":"token_transfer"}');
const text = (bytes: unknown): string => Buffer.from(String(bytes).slice(2), 'hex').toString();
const nonFungible = 1n << 255n;
const pool = (counter: bigint, bits = 0n): bigint => (counter << 128n) | bits;

/** Event as name and values, bytes as text. */
function said({ name, args, fragment }: LogDescription): unknown[] {
  const values = args.map((value: unknown, index) =>
    fragment.inputs[index]?.type === 'bytes' ? text(value) : value instanceof Result ? value.toArray() : value,
  );
  return [name, ...values];
}

/** Transfers one token to the pool's creator for every amount above eight. */
const recipientSource = `// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;
interface Pools {
    function creatorOf(uint256 poolId) external view returns (address);
    function safeTransferFrom(address from, address to, uint256 id, uint256 value, bytes calldata data) external;
}
contract Recipient {
    Pools private immutable pools;
    constructor(Pools pools_) { pools = pools_; }
    function onERC1155Received(address, address, uint256 id, uint256 value, bytes calldata) external returns (bytes4) {
        if (value > 8) pools.safeTransferFrom(address(this), pools.creatorOf(id), id, 1, "passed on");
        return this.onERC1155Received.selector;
    }
}
`;

let chain: ContractChain;

beforeEach(async () => {
  chain = await openContractChain();
});

describe('TokenPools', () => {
  let pools: Deployed;

  beforeEach(async () => {
    pools = await chain.deploy(alice, await artifactOf('TokenPools'));
    await pools.send(alice, 'create', true, data);
    await pools.send(alice, 'create', false, data);
  });

  const fungible = pool(1n);
  const deeds = pool(2n, nonFungible);

  test('counts pools of both kinds together and says who created which ids', async () => {
    const { events } = await pools.send(bob, 'create', true, toUtf8Bytes('third'));
    expect(events.map(said)).toEqual([['PoolCreated', bob.address, pool(3n), pool(3n), true, 'third']]);
    const fourth = await pools.send(bob, 'create', false, data);
    const startId = pool(4n, nonFungible);
    expect(fourth.events[0]?.args.toArray().slice(1, 4)).toEqual([startId, startId | ((1n << 128n) - 1n), false]);
    expect(await pools.get('creatorOf', startId)).toBe(bob.address);
    expect(await pools.get('creatorOf', pool(5n))).toBe(ZeroAddress);
  });

  test('mints fungible amounts, each event directly followed by its data', async () => {
    const to = [bob.address, carol.address];
    const { events } = await pools.send(alice, 'mintFungible', fungible, to, [5n, 2n ** 256n - 1n], data);
    expect(events.map(said)).toEqual([
      ['TransferSingle', alice.address, ZeroAddress, bob.address, fungible, 5n],
      ['TransferData', alice.address, text(`0x${Buffer.from(data).toString('hex')}`), ''],
      ['TransferSingle', alice.address, ZeroAddress, carol.address, fungible, 2n ** 256n - 1n],
      ['TransferData', alice.address, text(`0x${Buffer.from(data).toString('hex')}`), ''],
    ]);
    expect(events.map(({ logIndex }) => logIndex)).toEqual([0, 1, 2, 3]);
    expect(await pools.get('balanceOf', carol.address, fungible)).toBe(2n ** 256n - 1n);
  });

  test('mints non-fungible tokens from index 1; consecutive tokens of one recipient are one event', async () => {
    const to = [bob.address, carol.address, carol.address, bob.address];
    const { events } = await pools.send(alice, 'mintNonFungible', deeds, to, data);
    const transfers = events.filter(({ name }) => name !== 'TransferData').map((event) => said(event).slice(3));
    expect(transfers).toEqual([
      [bob.address, deeds | 1n, 1n],
      [carol.address, [deeds | 2n, deeds | 3n], [1n, 1n]],
      [bob.address, deeds | 4n, 1n],
    ]);
    const uris = events.filter(({ name }) => name === 'TransferData').map(({ args }) => String(args['uri']));
    expect(uris).toEqual(['parley://token/{id}', 'parley://token/{id}', 'parley://token/{id}']);
    const next = await pools.send(alice, 'mintNonFungible', deeds, [bob.address], data);
    expect(next.events[0]?.args['id']).toBe(deeds | 5n);
  });

  test('keeps one URI for all tokens of a mint, and the default one for tokens without', async () => {
    const mint = (count: number, uri?: string): Promise<unknown> => {
      const to = Array.from({ length: count }, () => bob.address);
      return uri === undefined
        ? pools.send(alice, 'mintNonFungible', deeds, to, data)
        : pools.send(alice, 'mintNonFungibleWithURI', deeds, to, data, uri);
    };
    await mint(2);
    await mint(2, 'https://first/{id}');
    await mint(1, `https://${'long'.repeat(20)}`);
    await mint(2);
    await mint(1);
    await mint(2, 'https://last');
    const uris = [];
    for (let index = 1n; index <= 11n; index += 1n) uris.push(await pools.get('uri', deeds | index));
    const plain = 'parley://token/{id}';
    const expected = [plain, plain, 'https://first/{id}', 'https://first/{id}', `https://${'long'.repeat(20)}`];
    // The last one is not minted yet: the latest URI is not its own, but no client asks for it before it exists.
    expect(uris).toEqual([...expected, plain, plain, plain, 'https://last', 'https://last', 'https://last']);
    expect(await pools.get('uri', fungible)).toBe(plain);
    const { events } = (await mint(1, 'https://told')) as { events: LogDescription[] };
    expect(events[1]?.args['uri']).toBe('https://told');
  });

  test('lets only the creator mint, only in an existing pool of the right kind, and within the limits', async () => {
    const many = (count: number): string[] => Array.from({ length: count }, () => bob.address);
    const mint = (from: Wallet, id: bigint, to: string[], amounts = to.map(() => 1n)): Promise<unknown> =>
      pools.send(from, 'mintFungible', id, to, amounts, data);
    await expect(mint(bob, fungible, many(1))).rejects.toThrow('NotCreator');
    await expect(mint(alice, pool(9n), many(1))).rejects.toThrow('PoolUnknown');
    await expect(mint(alice, fungible | 1n, many(1))).rejects.toThrow('PoolUnknown');
    await expect(mint(alice, deeds, many(1))).rejects.toThrow('PoolIsNonFungible');
    await expect(mint(alice, fungible, many(2), [1n])).rejects.toThrow('LengthsDiffer');
    await expect(mint(alice, fungible, [])).rejects.toThrow('NothingToMint');
    await expect(mint(alice, fungible, [ZeroAddress])).rejects.toThrow('ERC1155InvalidReceiver');
    const mintTokens = (from: Wallet, id: bigint, to: string[]): Promise<unknown> =>
      pools.send(from, 'mintNonFungible', id, to, data);
    await expect(mintTokens(bob, deeds, many(1))).rejects.toThrow('NotCreator');
    await expect(mintTokens(alice, fungible, many(1))).rejects.toThrow('PoolIsFungible');
    await expect(mintTokens(alice, deeds, [])).rejects.toThrow('NothingToMint');
    await expect(mintTokens(alice, deeds, many(251))).rejects.toThrow('TooManyTokens');
    await expect(mintTokens(alice, deeds, [ZeroAddress])).rejects.toThrow('ERC1155InvalidReceiver');
    const long = pools.send(alice, 'mintNonFungibleWithURI', deeds, many(1), data, 'x'.repeat(1_025));
    await expect(long).rejects.toThrow('UriTooLong');
    expect((await pools.send(alice, 'mintNonFungible', deeds, many(250), data)).events).toHaveLength(2);
  });

  test('lets only the owner and approved operators transfer and burn', async () => {
    await pools.send(alice, 'mintFungible', fungible, [bob.address], [10n], data);
    const move = (from: Wallet, amount: bigint): Promise<unknown> =>
      pools.send(from, 'safeTransferFrom', bob.address, alice.address, fungible, amount, data);
    const burn = (from: Wallet, amount: bigint): Promise<{ events: readonly LogDescription[] }> =>
      pools.send(from, 'burn', bob.address, fungible, amount, data);
    await expect(move(alice, 1n)).rejects.toThrow('ERC1155MissingApprovalForAll');
    await expect(burn(alice, 1n)).rejects.toThrow('ERC1155MissingApprovalForAll');
    await expect(move(bob, 11n)).rejects.toThrow('ERC1155InsufficientBalance');
    await expect(burn(bob, 11n)).rejects.toThrow('ERC1155InsufficientBalance');
    await move(bob, 2n);
    const approval = await pools.send(bob, 'setApprovalForAllWithData', alice.address, true, toUtf8Bytes('yes'));
    expect(approval.events.map(said)).toEqual([
      ['ApprovalForAll', bob.address, alice.address, true],
      ['ApprovalData', 'yes'],
    ]);
    await move(alice, 3n);
    const burnt = await burn(alice, 1n);
    expect(burnt.events.map((event) => said(event).slice(0, 4))).toEqual([
      ['TransferSingle', alice.address, bob.address, ZeroAddress],
      ['TransferData', alice.address, text(`0x${Buffer.from(data).toString('hex')}`), ''],
    ]);
    expect(await pools.get('balanceOf', bob.address, fungible)).toBe(4n);
    await pools.send(bob, 'setApprovalForAllWithData', alice.address, false, data);
    await expect(move(alice, 1n)).rejects.toThrow('ERC1155MissingApprovalForAll');
  });

  test('also emits data for batches that a standard client sends', async () => {
    await pools.send(alice, 'mintFungible', fungible, [alice.address], [10n], data);
    await pools.send(alice, 'mintNonFungible', deeds, [alice.address], data);
    const ids = [fungible, deeds | 1n];
    const batch = [alice.address, bob.address, ids, [4n, 1n], toUtf8Bytes('both')];
    const { events } = await pools.send(alice, 'safeBatchTransferFrom', ...batch);
    expect(events.map(({ name }) => name)).toEqual(['TransferBatch', 'TransferData']);
    expect(text(events[1]?.args['data'])).toBe('both');
  });

  test('emits data directly after its transfer if a recipient calls back, with the caller as operator', async () => {
    const artifact = compile({ 'Recipient.sol': recipientSource }).get('Recipient');
    assert(artifact !== undefined, 'the source declares a contract');
    const recipient = await chain.deploy(alice, artifact, pools.address);
    await pools.send(alice, 'mintFungible', fungible, [recipient.address], [7n], toUtf8Bytes('first'));
    const { receipt } = await pools.send(
      alice,
      'mintFungible',
      fungible,
      [recipient.address],
      [9n],
      toUtf8Bytes('second'),
    );
    const events = receipt.logs.map((log) => pools.abi.parseLog({ topics: [...log.topics], data: log.data }));
    expect(events.map((event) => event && [event.name, event.args[0], event.args[event.args.length - 1]])).toEqual([
      ['TransferSingle', alice.address, 9n],
      ['TransferData', alice.address, ''],
      ['TransferSingle', recipient.address, 1n],
      ['TransferData', recipient.address, ''],
    ]);
    expect(events.map((event) => event?.name === 'TransferData' && text(event.args['data']))).toEqual([
      false,
      'second',
      false,
      'passed on',
    ]);
  });

  test('returns its metadata by ERC-1155', async () => {
    for (const id of ['0x01ffc9a7', '0xd9b67a26', '0x0e89341c'])
      expect(await pools.get('supportsInterface', id)).toBe(true);
    expect(await pools.get('supportsInterface', '0xffffffff')).toBe(false);
  });
});
