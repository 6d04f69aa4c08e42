import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Blockchain } from '../../../../../src/ports/blockchain.js';
import { connectTo, openScriptedChain, type ScriptedChain } from '../scripted-chain.js';

const source = { address: `0x${'a'.repeat(40)}`, topics: [`0x${'1'.repeat(64)}`] };
let server: ScriptedChain;
let chain: Blockchain;
/** The sizes of the ranges of blocks that were asked for, in order. */
let asked: number[];

beforeEach(async () => {
  asked = [];
  server = await openScriptedChain();
  chain = connectTo(server);
});
afterEach(async () => {
  await chain.close();
  await server.close();
});

interface Range {
  readonly fromBlock: string;
  readonly toBlock: string;
}

/** Has the server answer with this many logs in each block; `meet` is called with each range first. */
function giveLogs(perBlock: number, meet: (blocks: number) => void = () => undefined): void {
  server.methods['eth_getLogs'] = ({ fromBlock, toBlock }: Range) => {
    const [from, to] = [Number(fromBlock), Number(toBlock)];
    asked.push(to - from + 1);
    meet(to - from + 1);
    return Array.from({ length: (to - from + 1) * perBlock }, (_, i) => aLog(from + Math.floor(i / perBlock), i));
  };
}

function aLog(block: number, index: number): object {
  return {
    ...source,
    data: '0x',
    blockNumber: `0x${block.toString(16)}`,
    transactionIndex: '0x0',
    logIndex: `0x${index.toString(16)}`,
    blockHash: `0x${block.toString(16).padStart(64, '0')}`,
    transactionHash: `0x${'2'.repeat(64)}`,
    blockTimestamp: '0x1',
  };
}

test('a history is read in smaller parts if the chain breaks the connection at large ones', async () => {
  giveLogs(1, (blocks) => {
    if (blocks > 300) server.cut();
  });
  const logs = await chain.readLogs(source, 1, 2_000);
  expect(logs.map(({ position }) => position.block)).toEqual(Array.from({ length: 2_000 }, (_, i) => i + 1));
  expect(asked.slice(0, 3)).toEqual([1_000, 500, 250]);
  // The next read begins with ranges that the chain can answer.
  asked = [];
  await chain.readLogs(source, 1, 2_000);
  expect(Math.max(...asked)).toBeLessThan(400);
});

test('more logs than fit into memory are refused, unless they are in one block', async () => {
  giveLogs(250);
  await expect(chain.readLogs(source, 1, 100)).rejects.toMatchObject({ reason: 'too_many_logs' });
  giveLogs(25_000);
  expect(await chain.readLogs(source, 1, 1)).toHaveLength(25_000);
});

test('a chain that breaks the connection at a single block is unreachable', async () => {
  giveLogs(1, () => server.cut());
  await expect(chain.readLogs(source, 1, 100)).rejects.toMatchObject({ reason: 'unreachable' });
});
