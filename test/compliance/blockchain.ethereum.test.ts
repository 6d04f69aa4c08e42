import { Wallet } from 'ethers';
import { describe, expect, it } from 'vitest';
import { createEthereumBlockchain } from '../../src/adapters/blockchain/ethereum.js';
import { createSystemClock } from '../../src/adapters/clock/system.js';
import { createSilentLog } from '../../src/adapters/log/silent.js';
import type { Blockchain } from '../../src/ports/blockchain.js';
import { describeBlockchain } from './blockchain.js';
import { type ChainOfTest, memberKey, openChain, outsiderKey } from './blockchain/devchain.js';
import { aPin, follow } from './blockchain/follower.js';
import { openHttpProxy } from './blockchain/http-proxy.js';
import { openProxy } from './blockchain/proxy.js';
import type { BlockchainUnderTest } from './blockchain/scene.js';

describeBlockchain('ethereum over WebSocket', () => onDevChain(openProxy));
describeBlockchain('ethereum over HTTP', () => onDevChain(openHttpProxy));

async function onDevChain(openWay: typeof openProxy): Promise<BlockchainUnderTest> {
  let chain = await openChain();
  const proxy = await openWay(() => chain.url());
  let tokens: Promise<string> | undefined;
  const beforePins = await chain.ask('evm_snapshot', []);
  return {
    member: addressOf(memberKey),
    outsider: addressOf(outsiderKey),
    connect: () => connect(proxy.url, chain),
    addMember: (organization) => chain.addMember(organization, Wallet.createRandom().address),
    tokens: () => (tokens ??= chain.deployTokens()),
    stop: () => chain.stop(),
    start: () => chain.start(),
    loseReply: async () => proxy.loseReply(),
    async wipe() {
      await chain.stop();
      chain = await openChain({ ageSeconds: 3_600 });
    },
    async reorganise() {
      await chain.ask('evm_revert', [beforePins]);
      await chain.ask('evm_increaseTime', [60]);
      await chain.ask('evm_mine', []);
    },
    async dispose() {
      await proxy.close();
      await chain.stop();
    },
  };
}

describe('blockchain: ethereum on a dev chain', () => {
  it('names the organisation of a key or node, also when an earlier process read its members', async () => {
    const chain = await openChain();
    const node = connect(chain.url().replace('http', 'ws'), chain);
    const first = follow(node);
    await first.untilLogs(1);
    await first.stop();
    const shop = Wallet.createRandom().address;
    await chain.operate('addKey(string,address)', ['shop', shop], memberKey);
    await chain.operate('setNode(string,bytes32)', ['https://127.0.0.1/2', `0x${'7'.repeat(64)}`], memberKey);
    const second = follow(node, { after: first.cursor() });
    await second.untilLogs(2);
    expect(second.logs()).toMatchObject([
      { type: 'key_added', organization: 'alice', name: 'shop', key: shop.toLowerCase() },
      { type: 'node_changed', organization: 'alice', endpoint: 'https://127.0.0.1/2', publicKeyHash: '7'.repeat(64) },
    ]);
    expect(second.logs()[0]).not.toHaveProperty('member');
    await second.stop();
    await node.close();
    await chain.stop();
  });

  it.each([
    ['a creation whose code is too large', { to: null, data: `0x${'00'.repeat(49_153)}`, gas: 16_000_000 }],
    [
      'a call with less gas than its data costs',
      { to: addressOf(outsiderKey), data: `0x${'ff'.repeat(12)}`, gas: 21_400 },
    ],
  ])('refuses %s, estimated and sent', async (_, call) => {
    const chain = await openChain();
    const node = connect(chain.url().replace('http', 'ws'), chain);
    const member = addressOf(memberKey);
    expect(await node.estimate(member, { ...call, value: '0' })).toMatchObject({ status: 'reverted' });
    const { raw } = await node.sign(member, 0, { type: 'contract', value: '0', ...call });
    await expect(node.submit(raw)).rejects.toMatchObject({ reason: 'refused' });
    await node.close();
    await chain.stop();
  });

  it('stops a running watch when the chain is replaced by a younger one with the same genesis', async () => {
    let chain = await openChain();
    const proxy = await openProxy(() => chain.url());
    const node = connect(proxy.url, chain);
    const follower = follow(node);
    await node.submit((await node.sign(addressOf(memberKey), 0, aPin())).raw);
    await follower.untilPins(1);
    await chain.stop();
    chain = await openChain({ ageSeconds: 3_600 });
    await expect(follower.ended).rejects.toMatchObject({ reason: 'other_chain' });
    expect(follower.pins()).toHaveLength(1);
    await node.close();
    await proxy.close();
    await chain.stop();
  });
});

function connect(url: string, { contract, firstBlock }: ChainOfTest): Blockchain {
  return createEthereumBlockchain({
    url,
    contract,
    firstBlock,
    confirmations: 0,
    keys: [memberKey, outsiderKey],
    log: createSilentLog(),
    clock: createSystemClock(),
  });
}

function addressOf(privateKey: string): string {
  return new Wallet(privateKey).address.toLowerCase();
}
