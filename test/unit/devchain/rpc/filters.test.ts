import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Chain } from '../../../../src/devchain/engine/chain.js';
import { createFilters } from '../../../../src/devchain/rpc/filters.js';
import { aConfig, alice, codeOf, serve, type Served, transfer } from '../support.js';

let served: Served;
let address: string;
let nonce: number;

/** A contract whose every call logs one topic, the first word of the call's data. */
const logger = '0x60058060095f395ff35f355f5fa1';
const [one, two] = [`0x${'01'.repeat(32)}`, `0x${'02'.repeat(32)}`];
const unknownFilter = { cause: { code: -32000, message: 'filter not found' } };

beforeEach(async () => {
  served = await serve({ config: aConfig({ allowRevert: true }) });
  await served.call(
    'eth_sendRawTransaction',
    await transfer(alice, 0, { to: null, data: logger, gasLimit: 1_000_000n }),
  );
  const block = (await served.call('eth_getBlockByNumber', '0x1', false)) as { transactions: string[] };
  const receipt = await served.call('eth_getTransactionReceipt', block.transactions[0]);
  address = (receipt as { contractAddress: string }).contractAddress;
  nonce = 1;
});
afterEach(() => served.stop());

/** Mines a block whose only log has this topic. */
async function log(topic: string): Promise<unknown> {
  const raw = await transfer(alice, nonce, { to: address, data: topic, gasLimit: 1_000_000n });
  nonce += 1;
  return served.call('eth_sendRawTransaction', raw);
}

/** Returns the blocks of the logs that a call returns. */
async function blocksOf(method: string, ...params: unknown[]): Promise<number[]> {
  const logs = (await served.call(method, ...params)) as { blockNumber: string }[];
  return logs.map(({ blockNumber }) => Number(blockNumber));
}

async function hashOf(number: number): Promise<string> {
  const block = await served.call('eth_getBlockByNumber', `0x${number.toString(16)}`, false);
  return (block as { hash: string }).hash;
}

test.each(['eth_getFilterChanges', 'eth_getFilterLogs'])(
  '%s of a filter from before a restart says that there is none, so that clients create it again',
  async (method) => {
    const id = await served.call('eth_newFilter', {});
    await served.stop();
    served = await serve({ files: served.files });
    const later = await served.call('eth_newFilter', {});
    expect(later).not.toBe(id);
    await expect(served.call(method, id)).rejects.toMatchObject(unknownFilter);
    for (const other of ['0x1', 1, null]) expect(await codeOf(served.call(method, other))).toBe(-32000);
  },
);

test.each([[{}], [{ fromBlock: 'latest' }], [{ fromBlock: 'pending', toBlock: 'latest' }], [{ toBlock: '0xffffff' }]])(
  'a filter for logs %j returns those of later blocks, each once',
  async (range) => {
    await log(one);
    const id = await served.call('eth_newFilter', { address, ...range });
    expect(await blocksOf('eth_getFilterChanges', id)).toEqual([]);
    await log(one);
    await log(two);
    expect(await blocksOf('eth_getFilterChanges', id)).toEqual([3, 4]);
    expect(await blocksOf('eth_getFilterChanges', id)).toEqual([]);
    await log(one);
    expect(await blocksOf('eth_getFilterChanges', id)).toEqual([5]);
  },
);

test('a filter with a first and a last block returns the logs between them', async () => {
  for (const topic of [one, two, one]) await log(topic);
  const early = await served.call('eth_newFilter', { fromBlock: 'earliest', toBlock: '0x3' });
  const late = await served.call('eth_newFilter', { fromBlock: '0x3', toBlock: '0x5' });
  const ahead = await served.call('eth_newFilter', { fromBlock: '0x6' });
  const poll = () => Promise.all([early, late, ahead].map((id) => blocksOf('eth_getFilterChanges', id)));
  expect(await poll()).toEqual([[2, 3], [3, 4], []]);
  for (const topic of [one, two]) await log(topic);
  expect(await poll()).toEqual([[], [5], [6]]);
});

test('concurrent polls do not return a log twice', async () => {
  const id = await served.call('eth_newFilter', {});
  await log(one);
  const polls = await Promise.all([1, 2, 3].map(() => blocksOf('eth_getFilterChanges', id)));
  expect(polls.flat()).toEqual([2]);
});

test('eth_getFilterLogs returns all logs of a filter, including those that a poll has returned', async () => {
  await log(one);
  const id = await served.call('eth_newFilter', { fromBlock: '0x1', topics: [one] });
  const newer = await served.call('eth_newFilter', {});
  await log(two);
  await log(one);
  for (let polls = 0; polls < 2; polls += 1) {
    expect(await blocksOf('eth_getFilterLogs', id)).toEqual([2, 4]);
    expect(await blocksOf('eth_getFilterLogs', newer)).toEqual([3, 4]);
    await served.call('eth_getFilterChanges', id);
  }
  const blocks = await served.call('eth_newBlockFilter');
  await expect(served.call('eth_getFilterLogs', blocks)).rejects.toMatchObject(unknownFilter);
});

test('a filter for blocks returns those after its creation, at most 1,000 with a poll', async () => {
  const id = await served.call('eth_newBlockFilter');
  expect(await served.call('eth_getFilterChanges', id)).toEqual([]);
  await served.call('hardhat_mine', 2);
  expect(await served.call('eth_getFilterChanges', id)).toEqual([await hashOf(2), await hashOf(3)]);
  await served.call('hardhat_mine', 1_001);
  const hashes = await served.call('eth_getFilterChanges', id);
  expect(hashes).toHaveLength(1_000);
  expect((hashes as string[])[0]).toBe(await hashOf(4));
  expect(await served.call('eth_getFilterChanges', id)).toEqual([await hashOf(1_004)]);
  expect(await served.call('eth_getFilterChanges', id)).toEqual([]);
});

test('a filter for transactions returns those accepted after its creation', async () => {
  await log(one);
  const id = await served.call('eth_newPendingTransactionFilter');
  expect(await served.call('eth_getFilterChanges', id)).toEqual([]);
  const mined = await log(one);
  await served.call('evm_setAutomine', false);
  const waiting = await log(two);
  expect(await served.call('eth_getFilterChanges', id)).toEqual([mined, waiting]);
  expect(await served.call('eth_getFilterChanges', id)).toEqual([]);
});

test.each([[[null]], [[[]]], [[[null]]], [[[null, one]]]])('the topics %j match any log', async (topics) => {
  const id = await served.call('eth_newFilter', { fromBlock: '0x0', topics });
  await log(two);
  expect(await blocksOf('eth_getLogs', { fromBlock: '0x0', topics })).toEqual([2]);
  expect(await blocksOf('eth_getLogs', { fromBlock: '0x0', toBlock: '0x2', topics })).toEqual([2]);
  expect(await blocksOf('eth_getFilterChanges', id)).toEqual([2]);
});

test('an empty list of addresses matches any', async () => {
  await log(one);
  expect(await blocksOf('eth_getLogs', { fromBlock: '0x0', address: [] })).toEqual([2]);
});

test.each([
  [null],
  [5],
  [{ fromBlock: 'soon' }],
  [{ toBlock: 7 }],
  [{ address: 'alice' }],
  [{ address: [null] }],
  [{ topics: 'x' }],
  [{ blockHash: `0x${'1'.repeat(64)}` }],
])('a filter of %j is refused', async (criteria) => {
  expect(await codeOf(served.call('eth_newFilter', criteria))).toBe(-32602);
});

test('a filter that was removed is not found', async () => {
  const id = await served.call('eth_newFilter', {});
  expect(await served.call('eth_uninstallFilter', id)).toBe(true);
  expect(await served.call('eth_uninstallFilter', id)).toBe(false);
  await expect(served.call('eth_getFilterChanges', id)).rejects.toMatchObject(unknownFilter);
});

test('a filter whose blocks a revert removed is not found, and an earlier one is', async () => {
  const older = await served.call('eth_newFilter', {});
  const snapshot = await served.call('evm_snapshot');
  await log(one);
  const newer = await served.call('eth_newFilter', {});
  await served.call('evm_revert', snapshot);
  await served.call('hardhat_mine', 3);
  await expect(served.call('eth_getFilterChanges', newer)).rejects.toMatchObject(unknownFilter);
  expect(await blocksOf('eth_getFilterChanges', older)).toEqual([]);
});

test('there are at most 1,000 filters, and one that is polled outlives those that are not', async () => {
  const [polled, idle] = [await served.call('eth_newFilter', {}), await served.call('eth_newFilter', {})];
  await served.call('eth_getFilterChanges', polled);
  const calls = Array.from({ length: 999 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'eth_newBlockFilter' }));
  await served.post(JSON.stringify(calls));
  expect(await served.call('eth_getFilterChanges', polled)).toEqual([]);
  await expect(served.call('eth_getFilterChanges', idle)).rejects.toMatchObject(unknownFilter);
});

test('a filter for blocks returns with the next poll what a failed poll did not', async () => {
  let head = { number: 1, hash: one };
  let isFailing = false;
  const hashOf = (number: number) =>
    isFailing ? Promise.reject(new Error('busy')) : Promise.resolve(`hash of ${number}`);
  const chain = { head: () => head, hashOf } as unknown as Chain;
  const filters = createFilters();
  const id = filters.addBlocks(chain);
  expect(await filters.changes(chain, id)).toBe('[]');
  head = { number: 3, hash: one };
  isFailing = true;
  await expect(filters.changes(chain, id)).rejects.toThrow('busy');
  isFailing = false;
  expect(await filters.changes(chain, id)).toBe('["hash of 2","hash of 3"]');
});
