import { Interface } from 'ethers';
import { describe, expect, it } from 'vitest';
import type { ChainCall, ContractLog, LogPage, LogSource } from '../../../src/ports/blockchain.js';
import { aPin, hashOf } from './follower.js';
import { type BlockchainUnderTest, createScene, type Scene } from './scene.js';

const network = new Interface([
  'event MemberAdded(address indexed key, string org, string node, string endpoint, bytes32 publicKeyHash)',
  'event KeyAdded(address indexed member, address indexed key, string name)',
  'event OrganizationAdded(address indexed member, address indexed key, string name)',
  'event NodeChanged(address indexed member, string endpoint, bytes32 publicKeyHash)',
  'event BatchPin(address indexed author, bytes32 uuids, bytes32 batchHash, string payloadRef, bytes32[] contexts)',
  'function addMember(string org, address key, string node, string endpoint, bytes32 publicKeyHash)',
  'function addKey(string name, address key)',
  'function addOrganization(string name, address key)',
  'function setNode(string endpoint, bytes32 publicKeyHash)',
  'function pinBatch(bytes32 uuids, bytes32 batchHash, string payloadRef, bytes32[] contexts)',
]);
const names = ['MemberAdded', 'KeyAdded', 'OrganizationAdded', 'NodeChanged', 'BatchPin'];
const topics = names.map((name) => network.getEvent(name)?.topicHash ?? '');
const shop = `0x${'5'.repeat(40)}`;
const daughter = `0x${'6'.repeat(40)}`;
const endpoint = 'https://127.0.0.1/2';
const pin = aPin({ contexts: [hashOf(1), hashOf(2)] });
const uuids = `0x${pin.transactionId}${pin.batchId}`.replaceAll('-', '');
const pinned = [uuids, `0x${pin.batchHash}`, pin.payloadRef, pin.contexts.map((context) => `0x${context}`)];
const placed = [endpoint, `0x${hashOf(7)}`];

/** `Network.sol` is a contract like any other for a source that names it. */
export function describeNetworkLogs(create: () => Promise<BlockchainUnderTest>): void {
  describe('logs of the network that a source asks for', () => {
    const scene = createScene(create);

    it('come as what they say, and right behind as the chain has them', async () => {
      const { logs, ofContract } = await followNetwork(scene, {});
      const { member } = scene.subject;
      expect(ofContract.map(readLog)).toEqual([
        ['MemberAdded', [member, 'alice', 'node-alice', expect.any(String), expect.any(String)]],
        ['KeyAdded', [member, shop, 'shop']],
        ['OrganizationAdded', [member, daughter, 'daughter']],
        ['NodeChanged', [member, ...placed]],
        ['BatchPin', [member, ...pinned]],
      ]);
      for (const log of ofContract) {
        const before = logs[logs.indexOf(log) - 1];
        const { position, transactionHash, time } = log;
        expect(before).toMatchObject({ position, transactionHash, time });
        expect(before?.type).not.toBe('contract_log');
        expect(log).not.toHaveProperty('input');
      }
    });

    it('have input and sender of their transactions where they are asked for', async () => {
      const { ofContract } = await followNetwork(scene, { withInput: true });
      expect(ofContract.map(({ input }) => readInput(input))).toEqual([
        ['addMember', ['alice', scene.subject.member, 'node-alice', expect.any(String), expect.any(String)]],
        ['addKey', ['shop', shop]],
        ['addOrganization', ['daughter', daughter]],
        ['setNode', placed],
        ['pinBatch', pinned],
      ]);
      const { member } = scene.subject;
      expect(ofContract.slice(1).map(({ sender }) => sender)).toEqual([member, member, member, member]);
      expect(ofContract[0]?.sender).not.toBe(member);
    });

    it('are read from block to block, without what they say, and only with the topics that are asked for', async () => {
      const { source, ofContract } = await followNetwork(scene, {});
      expect(ofContract).toHaveLength(topics.length);
      const { head } = await scene.chain.status();
      expect(await scene.chain.readLogs(source, 0, head)).toEqual(ofContract);
      const pins = ofContract.slice(-1);
      expect(await scene.chain.readLogs({ ...source, topics: topics.slice(-1) }, 0, head)).toEqual(pins);
      expect(await scene.chain.readLogs({ address: null, topics: topics.slice(-1) }, 0, head)).toEqual(pins);
      expect(await scene.chain.readLogs({ ...source, address: shop }, 0, head)).toEqual([]);
    });
  });
}

interface Followed {
  readonly source: LogSource;
  readonly logs: LogPage['logs'];
  /** Those of them that are as the chain has them. */
  readonly ofContract: readonly ContractLog[];
}

/** The member does each of what it can do; a follower hears of it, and of its own admission. */
async function followNetwork(scene: Scene, input: Pick<LogSource, 'withInput'>): Promise<Followed> {
  const calls: readonly ChainCall[] = [
    { type: 'add_key', name: 'shop', key: shop },
    { type: 'add_key', name: 'daughter', key: daughter, isOrganization: true },
    { type: 'set_node', endpoint, publicKeyHash: hashOf(7) },
    pin,
  ];
  for (const [nonce, call] of calls.entries()) {
    const { raw } = await scene.chain.sign(scene.subject.member, nonce, call);
    expect(await scene.chain.submit(raw)).toMatchObject({ status: 'success' });
  }
  const plain = scene.watch(scene.chain);
  await plain.untilPins(1);
  const source = { address: plain.cursor().contract, topics, ...input };
  const follower = scene.watch(scene.chain, { selection: () => ({ revision: 1, sources: [source] }) });
  await follower.untilPins(1);
  const logs = follower.logs();
  return { source, logs, ofContract: logs.filter((log) => log.type === 'contract_log') };
}

function readLog({ topics: found, data }: ContractLog): unknown {
  const event = network.parseLog({ topics: found, data });
  return [event?.name, plainOf(event?.args.toArray(true))];
}

function readInput(data = '0x'): unknown {
  const called = network.parseTransaction({ data });
  return [called?.name, plainOf(called?.args.toArray(true))];
}

/** Addresses in lower case, as everywhere. */
function plainOf(values: readonly unknown[] = []): unknown {
  return values.map((value) => (typeof value === 'string' && value.length === 42 ? value.toLowerCase() : value));
}
