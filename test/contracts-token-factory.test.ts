import type { Wallet } from 'ethers';
import { type LogDescription, Result, ZeroAddress, toUtf8Bytes } from 'ethers';
import { beforeEach, describe, expect, test } from 'vitest';
import { artifactOf, type ContractChain, type Deployed, openContractChain } from './support/contract-chain.js';
import { alice, bob } from './unit/devchain/support.js';

const data = toUtf8Bytes('{"tx":"1","txtype":"token_transfer"}');
const text = (bytes: unknown): string => Buffer.from(String(bytes).slice(2), 'hex').toString();
/** Event as name and values, bytes as text. */
function said({ name, args, fragment }: LogDescription): unknown[] {
  const values = args.map((value: unknown, index) =>
    fragment.inputs[index]?.type === 'bytes' ? text(value) : value instanceof Result ? value.toArray() : value,
  );
  return [name, ...values];
}

let chain: ContractChain;

beforeEach(async () => {
  chain = await openContractChain();
});

describe('TokenFactory', () => {
  let factory: Deployed;

  beforeEach(async () => {
    factory = await chain.deploy(alice, await artifactOf('TokenFactory'));
  });

  async function create(name: 'Erc20Pool' | 'Erc721Pool'): Promise<Deployed> {
    const values = ['coins', 'CNS', name === 'Erc20Pool', data];
    const { events } = await factory.send(alice, 'create', ...values);
    const [created] = events;
    expect(created && said(created)).toEqual([
      'PoolCreated',
      alice.address,
      created?.args['pool'],
      name === 'Erc20Pool',
      'coins',
      'CNS',
      text(`0x${Buffer.from(data).toString('hex')}`),
    ]);
    return factory.at([...(await artifactOf(name)).abi] as object[], String(created?.args['pool']));
  }

  test('takes names and symbols of up to 64 bytes', async () => {
    await expect(factory.send(alice, 'create', 'x'.repeat(65), 'CNS', true, data)).rejects.toThrow('TooLong');
    await expect(factory.send(alice, 'create', 'coins', 'x'.repeat(65), true, data)).rejects.toThrow('TooLong');
    await factory.send(alice, 'create', 'x'.repeat(64), 'x'.repeat(64), false, data);
  });

  test('creates ERC-20 contracts: the creator mints, owners and allowance holders transfer and burn', async () => {
    const coins = await create('Erc20Pool');
    await expect(coins.send(bob, 'mintWithData', bob.address, 1n, data)).rejects.toThrow('NotCreator');
    const minted = await coins.send(alice, 'mintWithData', bob.address, 10n, data);
    expect(minted.events.map((event) => said(event).slice(0, 3))).toEqual([
      ['Transfer', ZeroAddress, bob.address],
      ['TransferData', alice.address, text(`0x${Buffer.from(data).toString('hex')}`)],
    ]);
    const move = (from: Wallet, amount: bigint): Promise<unknown> =>
      coins.send(from, 'transferWithData', bob.address, alice.address, amount, data);
    const burn = (from: Wallet, amount: bigint): Promise<unknown> =>
      coins.send(from, 'burnWithData', bob.address, amount, data);
    await move(bob, 1n);
    await burn(bob, 1n);
    await expect(move(alice, 1n)).rejects.toThrow('ERC20InsufficientAllowance');
    await expect(burn(alice, 1n)).rejects.toThrow('ERC20InsufficientAllowance');
    await expect(move(bob, 9n)).rejects.toThrow('ERC20InsufficientBalance');
    const approval = await coins.send(bob, 'approveWithData', alice.address, 3n, toUtf8Bytes('up to 3'));
    expect(approval.events.map(said)).toEqual([
      ['Approval', bob.address, alice.address, 3n],
      ['ApprovalData', 'up to 3'],
    ]);
    await move(alice, 2n);
    await burn(alice, 1n);
    await expect(burn(alice, 1n)).rejects.toThrow('ERC20InsufficientAllowance');
    expect([await coins.get('balanceOf', bob.address), await coins.get('totalSupply')]).toEqual([5n, 8n]);
    expect([await coins.get('name'), await coins.get('symbol')]).toEqual(['coins', 'CNS']);
    expect(await coins.get('supportsInterface', '0xaefdad0f')).toBe(true);
    expect(await coins.get('supportsInterface', '0xd4ff681d')).toBe(false);
  });

  test('creates ERC-721 contracts: one token per mint, counted from 1, with its own URI or none', async () => {
    const deeds = await create('Erc721Pool');
    await expect(deeds.send(bob, 'mintWithData', bob.address, data)).rejects.toThrow('NotCreator');
    await expect(deeds.send(alice, 'mintWithURI', bob.address, data, 'x'.repeat(1_025))).rejects.toThrow('UriTooLong');
    const first = await deeds.send(alice, 'mintWithData', bob.address, data);
    expect(first.events.map(said)).toEqual([
      ['Transfer', ZeroAddress, bob.address, 1n],
      ['TransferData', alice.address, text(`0x${Buffer.from(data).toString('hex')}`), ''],
    ]);
    const second = await deeds.send(alice, 'mintWithURI', bob.address, data, 'https://second');
    expect(second.events[1]?.args['uri']).toBe('https://second');
    expect([await deeds.get('tokenURI', 1n), await deeds.get('tokenURI', 2n)]).toEqual(['', 'https://second']);
    expect(await deeds.get('supportsInterface', '0xd4ff681d')).toBe(true);
    expect(await deeds.get('supportsInterface', '0xaefdad0f')).toBe(false);
  });

  test('lets only owners and approved accounts transfer and burn ERC-721 tokens', async () => {
    const deeds = await create('Erc721Pool');
    for (let count = 0; count < 4; count += 1) await deeds.send(alice, 'mintWithData', bob.address, data);
    const move = (
      from: Wallet,
      id: bigint,
      name = 'transferWithData',
    ): Promise<{ events: readonly LogDescription[] }> => deeds.send(from, name, bob.address, alice.address, id, data);
    const burn = (from: Wallet, id: bigint, owner = bob): Promise<{ events: readonly LogDescription[] }> =>
      deeds.send(from, 'burnWithData', owner.address, id, data);
    await expect(move(alice, 1n)).rejects.toThrow('ERC721InsufficientApproval');
    await expect(burn(alice, 1n)).rejects.toThrow('ERC721InsufficientApproval');
    await expect(burn(bob, 1n, alice)).rejects.toThrow('ERC721IncorrectOwner');
    await expect(burn(bob, 9n)).rejects.toThrow('ERC721NonexistentToken');
    expect((await move(bob, 1n)).events.map(({ name }) => name)).toEqual(['Transfer', 'TransferData']);
    const approved = await deeds.send(bob, 'approveWithData', alice.address, 2n, data);
    expect(approved.events.map(({ name }) => name)).toEqual(['Approval', 'ApprovalData']);
    const safe = 'safeTransferFrom(address,address,uint256,bytes)';
    expect((await move(alice, 2n, safe)).events.map(({ name }) => name)).toEqual(['Transfer', 'TransferData']);
    const all = await deeds.send(bob, 'setApprovalForAllWithData', alice.address, true, data);
    expect(all.events.map(({ name }) => name)).toEqual(['ApprovalForAll', 'ApprovalData']);
    expect((await burn(alice, 3n)).events.map(({ name }) => name)).toEqual(['Transfer', 'TransferData']);
    expect(await deeds.get('balanceOf', bob.address)).toBe(1n);
  });
});
