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

/** For a source that names it, `Network.sol` is a contract like any other. */
export function describeNetworkLogs(create: () => Promise<BlockchainUnderTest>): void {
  describe('logs of the network contract for a source that names it', () => {
    const scene = createScene(create);

    it('are read decoded, each directly followed by the log as the chain has it', async () => {
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

    it('have input and sender of their transactions on request', async () => {
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

    it('are read from block to block, not decoded, and only with the requested topics', async () => {
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
  /** The logs among them in the form of the chain. */
  readonly ofContract: readonly ContractLog[];
}

/** Does everything that a member can do; a follower reads that, and the member's own registration. */
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

/** Replaces addresses with their form in lower case, which is used everywhere. */
function plainOf(values: readonly unknown[] = []): unknown {
  return values.map((value) => (typeof value === 'string' && value.length === 42 ? value.toLowerCase() : value));
}
