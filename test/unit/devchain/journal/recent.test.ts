import { getCreateAddress } from 'ethers';
import { beforeEach, expect, test } from 'vitest';
import type { Chain } from '../../../../src/devchain/engine/chain.js';
import { createRecentBlocks } from '../../../../src/devchain/journal/recent.js';
import { alice, newChain, transfer } from '../support.js';

/** A contract whose every call logs one topic, the first word of the call's data. */
const logger = '0x60058060095f395ff35f355f5fa1';
const contracts = [0, 1].map((nonce) => getCreateAddress({ from: alice.address, nonce }).toLowerCase());
const topics = [1, 2, 3].map((word) => `0x${String(word).padStart(64, '0')}`);
const [first = '', second = ''] = contracts;
const [one = '', two = '', three = ''] = topics;
const lastBlock = 7;

let chain: Chain;

beforeEach(async () => {
  chain = await newChain();
  let nonce = 0;
  const send = async (to: string | null, data: string): Promise<void> => {
    await chain.accept(await transfer(alice, nonce, { to, data }));
    nonce += 1;
  };
  const mine = (): Promise<unknown> => chain.mine(chain.head().time + 1);
  for (let count = 0; count < contracts.length; count += 1) await send(null, logger);
  await mine();
  for (const to of contracts) {
    for (const topic of topics) {
      await send(to, topic);
      await send(first, topic);
      await mine();
    }
  }
});

/** Returns the engine's own result for a filter. */
async function fromEngine(filter: object): Promise<unknown> {
  const id: unknown = JSON.parse(await chain.ask('eth_newFilter', [filter]));
  return JSON.parse(await chain.ask('eth_getFilterLogs', [id]));
}

const hexOf = (block: number): string => `0x${block.toString(16)}`;

test.each([
  ['everything', {}],
  ['one address', { address: second }],
  ['addresses', { address: contracts }],
  ['an address in capitals', { address: second.toUpperCase().replace('X', 'x') }],
  ['an address without logs', { address: bobs() }],
  ['one topic', { topics: [two] }],
  ['topics of which one must fit', { topics: [[one, three]] }],
  ['any topic', { topics: [null] }],
  ['more topics than a log has', { topics: [one, null] }],
  ['address and topic', { address: first, topics: [[three]] }],
])('logs are answered as the engine answers: %s', async (_, asked) => {
  for (let from = 1; from <= lastBlock; from += 1) {
    for (let to = from; to <= lastBlock; to += 1) {
      const filter = { ...asked, fromBlock: hexOf(from), toBlock: hexOf(to) };
      expect(JSON.parse(await chain.ask('eth_getLogs', [filter]))).toEqual(await fromEngine(filter));
    }
  }
});

function bobs(): string {
  return `0x${'b0'.repeat(20)}`;
}

test('the logs of a block are requested from the engine once, by any number of callers', async () => {
  const asked: string[] = [];
  const recent = createRecentBlocks((method, params) => {
    asked.push(method);
    return chain.ask(method, params);
  });
  for (let block = 1; block <= lastBlock; block += 1) recent.add(block, '{}');
  const filters = [first, second, first].map((address) => ({ address, fromBlock: '0x2', toBlock: '0x4' }));
  const answers = await Promise.all(filters.map(async (filter) => recent.answer('eth_getLogs', [filter])));
  expect(answers.map((text) => (JSON.parse(text ?? '[]') as unknown[]).length)).toEqual([6, 0, 6]);
  expect(asked).toEqual(['eth_getLogs']);
});

test('if there are too many logs for one answer, the engine gets the filter', async () => {
  const filter = { address: first, fromBlock: '0x1', toBlock: '0x2' };
  const recent = createRecentBlocks((_, [given]) =>
    typeof given === 'object' && given !== null && 'address' in given
      ? Promise.resolve('["few"]')
      : Promise.reject(new Error('too long')),
  );
  recent.add(2, '{}');
  expect(await recent.answer('eth_getLogs', [filter])).toBe('["few"]');
  expect(await recent.answer('eth_getLogs', [filter])).toBe('["few"]');
});

test.each([
  ['blocks that are not there yet', { fromBlock: '0x1', toBlock: '0x8' }],
  ['blocks by name', { fromBlock: '0x1', toBlock: 'latest' }],
  ['blocks the wrong way round', { fromBlock: '0x2', toBlock: '0x1' }],
  ['a block by its hash', { blockHash: one }],
  ['an address that is none', { address: '0x12', fromBlock: '0x1', toBlock: '0x1' }],
  ['no alternative at all', { topics: [[]], fromBlock: '0x1', toBlock: '0x1' }],
])('what is not the plain form is the engine’s to answer: %s', (_, filter) => {
  const recent = createRecentBlocks(() => Promise.reject(new Error('not asked')));
  for (let block = 1; block <= lastBlock; block += 1) recent.add(block, '{}');
  expect(recent.answer('eth_getLogs', [filter])).toBeUndefined();
});

test('a new block is answered with the engine’s text of it', async () => {
  for (let block = 1; block <= lastBlock; block += 1) {
    const kept = await chain.ask('eth_getBlockByNumber', [hexOf(block), false]);
    const { hash } = JSON.parse(kept) as { hash: string };
    expect(JSON.parse(kept)).toEqual(JSON.parse(await chain.ask('eth_getBlockByHash', [hash, false])));
  }
});
