import { AbiCoder, Interface } from 'ethers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createSystemClock } from '../../../../../src/adapters/clock/system.js';
import type { Blockchain, LogSource } from '../../../../../src/ports/blockchain.js';
import { createSilentLog } from '../../../../../src/adapters/log/silent.js';
import type { Clock } from '../../../../../src/ports/clock.js';
import type { Log } from '../../../../../src/ports/log.js';
import { type Follower, follow } from '../../../../compliance/blockchain/follower.js';
import { eventually } from '../../../../support/eventually.js';
import { connectTo, openScriptedChain, type ScriptedChain, ScriptedError } from '../scripted-chain.js';

const events = new Interface(['event KeyAdded(address indexed, address indexed, string)']);
type Ask = (filter: unknown) => unknown;
let server: ScriptedChain;
let chain: Blockchain;
let follower: Follower | undefined;

const system = createSystemClock();
/** Sleeps a fiftieth of the time. */
const clock: Clock = { ...system, sleep: (ms, signal) => system.sleep(ms / 50, signal) };

beforeEach(async () => {
  server = await openScriptedChain();
  chain = connectTo(server, { confirmations: 1, isExternal: true, clock });
  server.methods['eth_subscribe'] = () => {
    throw new ScriptedError('notifications not supported', -32_601);
  };
});
afterEach(async () => {
  await follower?.stop();
  follower = undefined;
  await chain.close();
  await server.close();
});

interface Filter {
  readonly toBlock?: string;
  readonly blockHash?: string;
}

/** Lets a second server, which is some blocks behind, answer most requests of these methods. */
function lag(blocks: number, methods: readonly string[]): void {
  const { eth_blockNumber: askHead, eth_getBlockByNumber: askBlock, eth_getLogs: askLogs } = server.methods;
  const height = (): number => Number(askHead?.()) - blocks;
  const blockAt = (block: string): unknown => {
    if (block === 'latest') return askBlock?.(`0x${Math.max(0, height()).toString(16)}` as never);
    return Number(block) > height() ? null : askBlock?.(block as never);
  };
  const behind: Record<string, (parameter: never) => unknown> = {
    eth_blockNumber: () => `0x${Math.max(0, height()).toString(16)}`,
    eth_getBlockByNumber: blockAt,
    eth_getLogs({ toBlock, blockHash, ...filter }: Filter) {
      const logs = askLogs?.({ ...filter, toBlock, blockHash } as never) as { readonly blockNumber: string }[];
      const known = logs.filter(({ blockNumber }) => Number(blockNumber) <= height());
      if (blockHash !== undefined && known.length < logs.length) throw new ScriptedError('unknown block');
      return known;
    },
  };
  let chance = 2;
  for (const method of methods) {
    const ahead = server.methods[method];
    server.methods[method] = (parameter: never) => {
      chance = (chance * 48_271) % 2_147_483_647;
      return chance % 100 < 60 ? behind[method]?.(parameter) : ahead?.(parameter);
    };
  }
}

test.each([
  ['blocks', ['eth_blockNumber', 'eth_getBlockByNumber']],
  ['logs', ['eth_getLogs']],
])('servers of which one has the %s later than others lose nothing, and are one chain', async (_, methods) => {
  for (let block = 0; block < 20; block += 1) server.mine(1);
  follower = follow(chain);
  await follower.untilPins(19);
  lag(12, methods);
  for (let block = 0; block < 5; block += 1) server.mine(1);
  await follower.untilPins(24);
  for (let block = 0; block < 5; block += 1) server.mine(2);
  await follower.untilPins(33);
  follower.expectOrder();
});

test('a history that ends at the newest blocks is complete although a server has them later', async () => {
  for (let block = 1; block < 60; block += 1) server.mine(1);
  const found = (await (server.methods['eth_getLogs'] as Ask)({ fromBlock: '0x1', toBlock: '0x1' })) as LogSource[];
  const source = { address: server.contract, topics: found[0]?.topics.slice(0, 1) ?? [] };
  lag(12, ['eth_blockNumber', 'eth_getBlockByNumber', 'eth_getLogs']);
  for (let round = 0; round < 3; round += 1) {
    expect(await eventually(() => chain.readLogs(source, 1, 59))).toHaveLength(59);
  }
});

test('a server without the block that was read is behind, and is read from there once it has caught up', async () => {
  for (let block = 0; block < 10; block += 1) server.mine(1);
  follower = follow(chain);
  await follower.untilPins(9);
  const askBlock = server.methods['eth_getBlockByNumber'];
  const refused = new Promise<void>((resolve) => {
    server.methods['eth_getBlockByNumber'] = (block: string) => {
      if (block === '0x9') resolve();
      return askBlock?.((block === 'latest' ? '0x4' : Number(block) > 4 ? '0x99' : block) as never);
    };
  });
  server.cut();
  await refused;
  server.methods['eth_getBlockByNumber'] = askBlock ?? (() => null);
  server.mine(1);
  await follower.untilPins(10);
});

test('a server that does not have the block of the contract yet is behind', async () => {
  server.mine(1);
  server.mine(1);
  const [askHead, askCode] = [server.methods['eth_blockNumber'], server.methods['eth_getCode']];
  const asked = new Promise<void>((resolve) => {
    server.methods['eth_blockNumber'] = () => {
      resolve();
      return '0x0';
    };
  });
  server.methods['eth_getCode'] = () => '0x';
  follower = follow(chain);
  await asked;
  server.methods['eth_blockNumber'] = askHead ?? (() => null);
  server.methods['eth_getCode'] = askCode ?? (() => null);
  await follower.untilPins(1);
});

test('a member that the server does not know yet has its name once it does', async () => {
  server.mine();
  server.mine();
  const { data, topics } = events.encodeEventLog('KeyAdded', [`0x${'a'.repeat(40)}`, `0x${'b'.repeat(40)}`, 'shop']);
  const place = {
    blockNumber: '0x1',
    transactionIndex: '0x0',
    logIndex: '0x0',
    transactionHash: `0x${'0'.repeat(64)}`,
  };
  server.methods['eth_getLogs'] = ({ blockHash }: Filter) => [
    { address: server.contract, topics, data, blockHash, ...place },
  ];
  const names = ['', 'alice'];
  server.methods['eth_call'] = () => {
    const member = [names.shift(), '', '', `0x${'0'.repeat(64)}`];
    return AbiCoder.defaultAbiCoder().encode(['tuple(string,string,string,bytes32)'], [member]);
  };
  follower = follow(chain);
  await follower.untilLogs(1);
  expect(follower.logs()).toMatchObject([{ organization: 'alice', name: 'shop' }]);
});

test('a chain that fails again and again for a while is logged once in a minute', async () => {
  await chain.close();
  const said: string[] = [];
  const log: Log = { ...createSilentLog(), warn: (sentence) => said.push(sentence) };
  chain = connectTo(server, { confirmations: 1, isExternal: true, clock, log });
  const askLogs = server.methods['eth_getLogs'];
  let count = 0;
  server.methods['eth_getLogs'] = (filter: never) => {
    count += 1;
    if (count % 4 !== 0) throw new ScriptedError('unknown block');
    return askLogs?.(filter);
  };
  for (let block = 0; block < 10; block += 1) server.mine(1);
  follower = follow(chain);
  await follower.untilPins(9);
  expect(said).toEqual(['The chain cannot be read; trying again']);
});

test('a server that answers no logs is not asked for its head more and more often', async () => {
  server.mine(1);
  server.mine(1);
  const askLogs = server.methods['eth_getLogs'];
  let refusals = 0;
  const refused = new Promise<void>((resolve) => {
    server.methods['eth_getLogs'] = () => {
      refusals += 1;
      if (refusals === 20) resolve();
      throw new ScriptedError('rate limited', -32_005);
    };
  });
  follower = follow(chain);
  await refused;
  server.methods['eth_getLogs'] = askLogs ?? (() => []);
  await follower.untilPins(1);
  const before = server.asked.length;
  server.mine(1);
  await follower.untilPins(2);
  const heads = server.asked.slice(before).filter((method) => method === 'eth_getBlockByNumber');
  expect(heads.length).toBeLessThan(5);
});
