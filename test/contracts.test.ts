import {
  ContractFactory,
  Interface,
  type LogDescription,
  type LogParams,
  Result,
  type TransactionReceiptParams,
  type TransactionRequest,
  Wallet,
  ZeroAddress,
  ZeroHash,
} from 'ethers';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { compileContracts, readArtifact, writeArtifacts } from '../contracts/build.js';
import type { Chain } from '../src/devchain/engine/chain.js';
import type { RpcError } from '../src/devchain/rpc/rpc-error.js';
import { alice, artifact, bob, newChain, transfer } from './unit/devchain/support.js';

// UPDATE_CONTRACTS=1 vitest run test/contracts.test.ts writes the artifacts after a change of the sources.
const updates = process.env['UPDATE_CONTRACTS'] === '1';

beforeAll(async () => {
  if (updates) await writeArtifacts();
}, 60_000);

const contractFiles = ['Network', 'TokenPools', 'TokenFactory', 'Erc20Pool', 'Erc721Pool'].map(
  (name) => `${name}.json`,
);

test('the committed artifacts are identical to compiled sources, byte for byte', async () => {
  const compiled = await compileContracts();
  expect([...compiled.keys()]).toEqual(contractFiles);
  for (const [file, text] of compiled) expect(text, file).toBe(await readArtifact(file));
}, 60_000);

test('a deployed contract is not larger than the limit of every chain', async () => {
  for (const text of (await compileContracts()).values()) {
    const { deployedBytecode } = JSON.parse(text) as { deployedBytecode: string };
    expect((deployedBytecode.length - 2) / 2).toBeLessThan(24_576);
  }
}, 60_000);

describe('Network', () => {
  const network = new Interface(artifact.abi);
  const [operator, member] = [alice, bob];
  const limits = '{"batch":{"messages":200}}';
  const [hash, other] = [`0x${'11'.repeat(32)}`, `0x${'22'.repeat(32)}`];
  const spare = new Wallet(hash).address;
  const nobody = new Wallet(other);
  let chain: Chain;
  let address: string;
  let nonces: Map<string, number>;

  /** Sends a transaction in its own block; returns its logs. Throws Error with the name of the contract's error. */
  async function send(from: Wallet, name: string, ...values: unknown[]): Promise<LogDescription[]> {
    const data = network.encodeFunctionData(name, values);
    await view(data, from);
    const hash = await mine(from, { to: address, data, gasLimit: 5_000_000n });
    const receipt = JSON.parse(await chain.ask('eth_getTransactionReceipt', [hash])) as TransactionReceiptParams;
    expect(receipt.status).toBe('0x1');
    return receipt.logs.map((log) => network.parseLog({ topics: [...log.topics], data: log.data }) as LogDescription);
  }

  async function mine(from: Wallet, more: TransactionRequest): Promise<string> {
    const nonce = nonces.get(from.address) ?? 0;
    nonces.set(from.address, nonce + 1);
    const hash = await chain.accept(await transfer(from, nonce, more));
    await chain.mine(chain.head().time);
    return hash;
  }

  async function view(data: string, from: Wallet = nobody): Promise<string> {
    try {
      return String(JSON.parse(await chain.ask('eth_call', [{ from: from.address, to: address, data }, 'latest'])));
    } catch (error) {
      const revert = network.parseError(String((error as RpcError).data));
      throw new Error(revert?.name, { cause: error });
    }
  }

  async function get(name: string, ...values: unknown[]): Promise<unknown> {
    const result = network.decodeFunctionResult(name, await view(network.encodeFunctionData(name, values)));
    const only: unknown = result[0];
    return only instanceof Result ? only.toArray() : only;
  }

  beforeEach(async () => {
    chain = await newChain();
    nonces = new Map();
    const { data } = await new ContractFactory(artifact.abi, artifact.bytecode).getDeployTransaction(limits);
    const hash = await mine(operator, { to: null, data, gasLimit: 5_000_000n });
    const receipt = JSON.parse(await chain.ask('eth_getTransactionReceipt', [hash])) as { contractAddress: string };
    address = receipt.contractAddress;
  });

  const added = (key = member.address, name = 'bob', node = 'bob', publicKey = hash): unknown[] => [
    name,
    key,
    node,
    'https://127.0.0.1:16111',
    publicKey,
  ];

  test('stores its operator and the network limits, in its state and its first event', async () => {
    expect(await get('operator')).toBe(operator.address);
    expect(await get('limits')).toBe(limits);
    const logs = JSON.parse(await chain.ask('eth_getLogs', [{ fromBlock: '0x0', address }])) as LogParams[];
    const event = network.parseLog({ topics: [...(logs[0]?.topics ?? [])], data: logs[0]?.data ?? '' });
    expect([event?.name, ...(event?.args.toArray() ?? [])]).toEqual(['NetworkCreated', operator.address, limits]);
  });

  test('adds members for its operator only, and logs their registration', async () => {
    await expect(send(member, 'addMember', ...added())).rejects.toThrow('NotOperator');
    const [event] = await send(operator, 'addMember', ...added());
    expect(event?.name).toBe('MemberAdded');
    expect(event?.args.toObject()).toEqual({
      key: member.address,
      org: 'bob',
      node: 'bob',
      endpoint: 'https://127.0.0.1:16111',
      publicKeyHash: hash,
    });
    expect(await get('memberOf', member.address)).toBe(member.address);
    expect(await get('memberOf', spare)).toBe(ZeroAddress);
    expect(await get('memberWithKey', member.address)).toEqual(['bob', 'bob', 'https://127.0.0.1:16111', hash]);
  });

  test('gives a key to one identity, a name to one owner and a certificate to one node, permanently', async () => {
    await send(operator, 'addMember', ...added());
    await expect(send(operator, 'addMember', ...added(member.address, 'b2', 'b2', other))).rejects.toThrow('KeyTaken');
    await expect(send(operator, 'addMember', ...added(spare, 'bob', 'b2', other))).rejects.toThrow('NameTaken');
    await expect(send(operator, 'addMember', ...added(spare, 'b2', 'bob', other))).rejects.toThrow('NameTaken');
    await expect(send(operator, 'addMember', ...added(spare, 'b2', 'b2', hash))).rejects.toThrow('PublicKeyTaken');
    await expect(send(operator, 'addMember', ...added(ZeroAddress, 'b2', 'b2', other))).rejects.toThrow('KeyIsZero');
    await send(member, 'setNode', 'https://127.0.0.1:16112', other);
    await expect(send(operator, 'addMember', ...added(spare, 'b2', 'b2', hash))).rejects.toThrow('PublicKeyTaken');
    await send(member, 'setNode', 'https://127.0.0.1:16111', hash);
  });

  test.each(['', '.bob', 'bob-', 'a/b', 'org/bob', 'a b', 'bób', 'x'.repeat(65), 'a\u0000b'])(
    'takes no name like "%s", for an organisation, a node or a custom identity',
    async (name) => {
      await expect(send(operator, 'addMember', ...added(spare, name))).rejects.toThrow('NameInvalid');
      await expect(send(operator, 'addMember', ...added(spare, 'b2', name))).rejects.toThrow('NameInvalid');
      await send(operator, 'addMember', ...added());
      await expect(send(member, 'addKey', name, spare)).rejects.toThrow('NameInvalid');
    },
  );

  test('lets a member add organisations below it, whose names no other member may use', async () => {
    await expect(send(operator, 'addOrganization', 'sales', spare)).rejects.toThrow('NotMember');
    await send(operator, 'addMember', ...added());
    await expect(send(member, 'addOrganization', 'org/sales', spare)).rejects.toThrow('NameInvalid');
    await expect(send(member, 'addOrganization', 'bob', spare)).rejects.toThrow('NameTaken');
    const [event] = await send(member, 'addOrganization', 'sales', spare);
    expect([event?.name, ...(event?.args.toArray() ?? [])]).toEqual([
      'OrganizationAdded',
      member.address,
      spare,
      'sales',
    ]);
    expect(await get('memberOf', spare)).toBe(member.address);
    await expect(send(member, 'addKey', 'sales', nobody.address)).rejects.toThrow('NameTaken');
    await expect(send(operator, 'addMember', ...added(nobody.address, 'sales', 'n2'))).rejects.toThrow('NameTaken');
    await expect(send(member, 'addKey', 'other', spare)).rejects.toThrow('KeyTaken');
  });

  test.each(['b', 'B.o_b-2', '0', 'x'.repeat(64)])('accepts the name "%s"', async (name) => {
    await send(operator, 'addMember', ...added(member.address, name, name));
  });

  test('lets only a member add keys for custom identities', async () => {
    await expect(send(member, 'addKey', 'sales', spare)).rejects.toThrow('NotMember');
    await expect(send(operator, 'addKey', 'sales', spare)).rejects.toThrow('NotMember');
    await send(operator, 'addMember', ...added());
    const [event] = await send(member, 'addKey', 'sales', spare);
    expect([event?.name, ...(event?.args.toArray() ?? [])]).toEqual(['KeyAdded', member.address, spare, 'sales']);
    expect(await get('memberOf', spare)).toBe(member.address);
    await expect(send(member, 'addKey', 'sales', nobody.address)).rejects.toThrow('NameTaken');
    await expect(send(member, 'addKey', 'bob', nobody.address)).rejects.toThrow('NameTaken');
    await expect(send(member, 'addKey', 'other', spare)).rejects.toThrow('KeyTaken');
  });

  test('lets only a member move its own node', async () => {
    await expect(send(member, 'setNode', 'https://127.0.0.1:1', other)).rejects.toThrow('NotMember');
    await send(operator, 'addMember', ...added());
    const [event] = await send(member, 'setNode', 'https://127.0.0.1:1', other);
    const expected = ['NodeChanged', member.address, 'https://127.0.0.1:1', other];
    expect([event?.name, ...(event?.args.toArray() ?? [])]).toEqual(expected);
    expect(await get('memberWithKey', member.address)).toEqual(['bob', 'bob', 'https://127.0.0.1:1', other]);
    await expect(send(member, 'setNode', 'x'.repeat(257), other)).rejects.toThrow('TooLong');
  });

  test('accepts several nodes without a certificate', async () => {
    await send(operator, 'addMember', ...added(member.address, 'bob', 'bob', ZeroHash));
    await send(operator, 'addMember', ...added(spare, 'b2', 'b2', ZeroHash));
  });

  test('logs a pin of a registered key with that key and everything that was pinned', async () => {
    const pin = [hash, other, 'QmPayload', [hash, hash, other]];
    await expect(send(member, 'pinBatch', ...pin)).rejects.toThrow('NotRegistered');
    await expect(send(operator, 'pinBatch', ...pin)).rejects.toThrow('NotRegistered');
    await send(operator, 'addMember', ...added());
    const [event] = await send(member, 'pinBatch', ...pin);
    expect([event?.name, ...(event?.args.toArray(true) ?? [])]).toEqual(['BatchPin', member.address, ...pin]);
  });

  test('accepts 1 to 2,000 contexts and a payload reference of 128 bytes', async () => {
    await send(operator, 'addMember', ...added());
    const contexts = (count: number): string[] => Array.from({ length: count }, () => hash);
    await expect(send(member, 'pinBatch', hash, other, '', [])).rejects.toThrow('NoContexts');
    await expect(send(member, 'pinBatch', hash, other, '', contexts(2_001))).rejects.toThrow('TooManyContexts');
    await expect(send(member, 'pinBatch', hash, other, 'x'.repeat(129), contexts(1))).rejects.toThrow('TooLong');
    await send(member, 'pinBatch', hash, other, 'x'.repeat(128), contexts(2_000));
  });

  test('accepts no pin through another contract that a member calls', async () => {
    await send(operator, 'addMember', ...added());
    // Forwards its input to the address in its last 20 bytes of code, and fails if that call fails.
    const relay = `0x365f5f375f5f365f5f73${address.slice(2)}5af1602757600080fd5b00`;
    const creation = `0x60${((relay.length - 2) / 2).toString(16)}8060095f395ff3${relay.slice(2)}`;
    const created = await mine(member, { to: null, data: creation, gasLimit: 1_000_000n });
    const { contractAddress } = JSON.parse(await chain.ask('eth_getTransactionReceipt', [created])) as {
      contractAddress: string;
    };
    const data = network.encodeFunctionData('pinBatch', [hash, other, '', [hash]]);
    const relayed = await mine(member, { to: contractAddress, data, gasLimit: 1_000_000n });
    const receipt = JSON.parse(await chain.ask('eth_getTransactionReceipt', [relayed])) as TransactionReceiptParams;
    expect(receipt).toMatchObject({ status: '0x0', logs: [] });
    // The same relay does forward calls that anyone may make.
    const asked = { from: member.address, to: contractAddress, data: network.encodeFunctionData('operator') };
    expect(await chain.ask('eth_call', [asked, 'latest'])).toBe('"0x"');
  });
});
