import { getCreateAddress, parseEther } from 'ethers';
import { beforeEach, expect, test } from 'vitest';
import { readTime } from '../../../../src/adapters/blockchain/logs/header.js';
import type { Chain } from '../../../../src/devchain/engine/chain.js';
import type { Action } from '../../../../src/devchain/journal/journal.js';
import { createLedger, type Ledger } from '../../../../src/devchain/journal/ledger.js';
import { alice, bob, genesis, newChain, poor, richness, todayMs, transfer } from '../support.js';

let chain: Chain;
let ledger: Ledger;
let actions: Action[];

beforeEach(async () => {
  chain = await newChain();
  ledger = createLedger({ chain, mining: { auto: true, intervalMs: 0 }, nowMs: () => todayMs });
  actions = [];
});

/** Creation code of a contract that uses all its gas. */
const usesAllGas = '0x60fe60005360016000f3';

/** Sends, settles, and returns the transactions of each resulting block. */
async function turnOf(...raws: string[]): Promise<(readonly string[])[]> {
  for (const raw of raws) await ledger.send(raw);
  await ledger.settle();
  const effects = ledger.take();
  actions.push(...effects.actions);
  return effects.blocks.map(({ transactions }) => transactions);
}

async function hashesOf(...raws: string[]): Promise<string[]> {
  const other = await newChain();
  return Promise.all(raws.map((raw) => other.accept(raw)));
}

/** Expects that the same actions on a new chain have the same head. */
async function expectRepeatable(): Promise<void> {
  const again = createLedger({ chain: await newChain(), mining: { auto: true, intervalMs: 0 }, nowMs: () => 0 });
  await again.repeat(actions);
  expect(again.chain.head()).toEqual(chain.head());
}

test('calls of one turn are in one block, in order of arrival', async () => {
  const raws = [await transfer(alice, 0), await transfer(bob, 0), await transfer(alice, 1)];
  expect(await turnOf(...raws)).toEqual([await hashesOf(...raws)]);
  await expectRepeatable();
});

test('a transaction ahead of its nonce waits for earlier ones and makes no block', async () => {
  const raws = [await transfer(alice, 0), await transfer(alice, 1), await transfer(alice, 2)];
  const [first = '', second = '', third = ''] = raws;
  expect(await turnOf(third)).toEqual([]);
  expect(await turnOf(second)).toEqual([]);
  expect(await turnOf(first)).toEqual([await hashesOf(...raws)]);
  await expectRepeatable();
});

test('transactions that exceed one block are in the next', async () => {
  const gasLimit = 16_000_000n;
  const raws = await Promise.all([0, 1, 2, 3, 4].map((nonce) => transfer(alice, nonce, { gasLimit })));
  const blocks = await turnOf(...raws);
  expect(blocks.flat()).toEqual(await hashesOf(...raws));
  expect(blocks.every((transactions) => transactions.length > 0)).toBe(true);
  await expectRepeatable();
});

test('of two with one nonce the one with the higher fee is mined', async () => {
  ledger.setMining({ auto: false, intervalMs: 0 });
  const more = await transfer(alice, 0, { maxFeePerGas: 9_000_000_000n, maxPriorityFeePerGas: 5_000_000_000n });
  expect(await turnOf(await transfer(alice, 0), more)).toEqual([]);
  ledger.setMining({ auto: true, intervalMs: 0 });
  expect(await turnOf()).toEqual([await hashesOf(more)]);
  await expectRepeatable();
});

test('a fee below the base fee is mined once the base fee has fallen, and nothing waits forever', async () => {
  const to = getCreateAddress({ from: alice.address, nonce: 0 });
  await turnOf(await transfer(alice, 0, { to: null, data: usesAllGas }));
  const full = (nonce: number) => transfer(alice, nonce, { to, gasLimit: 15_000_000n });
  // Blocks of four of them raise the base fee by an eighth each, from 0.9 to 3 gwei and more.
  const raws = await Promise.all(Array.from({ length: 60 }, (_, index) => full(1 + index)));
  const blocks = await turnOf(...raws);
  expect(blocks.flat()).toEqual(await hashesOf(...raws));
  expect(chain.head().baseFee).toBeGreaterThan(2_500_000_000n);
  await expectRepeatable();

  const low = await transfer(bob, 0, { maxFeePerGas: 10_000_000n, maxPriorityFeePerGas: 0n });
  expect((await turnOf(low)).at(-1)).toEqual(await hashesOf(low));
  expect(chain.head().baseFee).toBeLessThanOrEqual(10_000_000n);
  await expectRepeatable();
});

test('a fee far below the base fee waits, makes one empty block, and blocks no others', async () => {
  const low = await transfer(bob, 0, { maxFeePerGas: 1n, maxPriorityFeePerGas: 0n });
  expect(await turnOf(low)).toEqual([[]]);
  const raw = await transfer(alice, 0);
  expect(await turnOf(raw)).toEqual([await hashesOf(raw)]);
  await expectRepeatable();
});

test('a transaction that became unaffordable is refused, and the others are mined', async () => {
  const value = (richness * 6n) / 10n;
  const raws = [
    await transfer(alice, 0, { value }),
    await transfer(alice, 1, { value }),
    await transfer(bob, 0),
    await transfer(alice, 2),
  ];
  const [paid = '', unpaid = '', others = '', follower = ''] = await hashesOf(...raws);
  for (const raw of raws) await ledger.send(raw);
  await ledger.settle();
  expect(ledger.refusal(unpaid)?.message).toContain('enough funds');
  // Without the one before it, this one is ahead of its nonce, and waits.
  expect([paid, others, follower].map((hash) => ledger.refusal(hash))).toEqual([undefined, undefined, undefined]);
  const effects = ledger.take();
  actions.push(...effects.actions);
  expect(effects.blocks.flatMap(({ transactions }) => transactions)).toEqual([paid, others]);

  const replacement = await transfer(alice, 1);
  const [hash = ''] = await hashesOf(replacement);
  expect(await turnOf(replacement)).toEqual([[hash, follower]]);
  await expectRepeatable();
});

test('two in the wrong order that are not affordable together are refused, and their sender can continue', async () => {
  const value = (richness * 6n) / 10n;
  expect(await turnOf(await transfer(alice, 1, { value }))).toEqual([]);
  const raws = [await transfer(alice, 0, { value }), await transfer(alice, 2), await transfer(bob, 0)];
  const [first = '', follower = '', others = ''] = await hashesOf(...raws);
  for (const raw of raws) await ledger.send(raw);
  await ledger.settle();
  expect([first, follower, others].map((hash) => ledger.refusal(hash) !== undefined)).toEqual([true, true, false]);
  expect((await turnOf()).flat()).toEqual([others]);
  const again = await transfer(alice, 0);
  expect(await turnOf(again)).toEqual([await hashesOf(again)]);
  await expectRepeatable();
});

test('a sender without funds gets an error and nothing waits', async () => {
  await expect(ledger.send(await transfer(poor, 0))).rejects.toThrow('enough funds');
  await ledger.settle();
  expect(ledger.take()).toEqual({ actions: [], blocks: [], accepted: [] });
});

test('while mining is paused nothing is mined, and everything when it resumes', async () => {
  ledger.setMining({ auto: false, intervalMs: 0 });
  const raws = [await transfer(alice, 0), await transfer(alice, 1)];
  const [first = '', second = ''] = raws;
  expect(await turnOf(first)).toEqual([]);
  expect(await turnOf(second)).toEqual([]);
  ledger.setMining({ auto: true, intervalMs: 0 });
  expect(await turnOf()).toEqual([await hashesOf(...raws)]);
  await expectRepeatable();
});

test('a requested block is mined although the waiting transactions are not affordable', async () => {
  ledger.setMining({ auto: false, intervalMs: 0 });
  const value = (richness * 6n) / 10n;
  await turnOf(await transfer(alice, 0, { value }), await transfer(alice, 1, { value }));
  await ledger.mine(1, 1);
  await ledger.mine(1, 1);
  expect(await turnOf()).toHaveLength(2);
  expect(chain.head().number).toBe(2);
  await expectRepeatable();
});

test('blocks have the time of day, also several the same, and follow the clock when it is moved', async () => {
  const today = todayMs / 1_000;
  await turnOf(await transfer(alice, 0));
  await turnOf(await transfer(alice, 1));
  expect(chain.head()).toMatchObject({ number: 2, time: today });
  expect(ledger.increaseTime(100)).toBe(100);
  await turnOf(await transfer(alice, 2));
  expect(chain.head().time).toBe(today + 100);
  ledger.setNextTime(today + 5_000);
  await turnOf(await transfer(alice, 3, { value: parseEther('1') }));
  await turnOf(await transfer(alice, 4));
  expect(chain.head().time).toBe(today + 5_000);
  await ledger.mine(3, 60);
  await turnOf();
  expect(chain.head()).toMatchObject({ number: 8, time: today + 5_120 });
  await expectRepeatable();
});

test('the clock cannot be set so far ahead that nodes could not read the times of blocks', async () => {
  const yearMs = (year: number) => Date.UTC(year, 0, 1);
  const century = 100 * 366 * 86_400;
  for (const time of [yearMs(9_001) / 1_000, yearMs(9_999) / 1_000, 2 ** 38, 2 ** 40]) {
    expect(() => ledger.setNextTime(time)).toThrow("next block's time must be");
    expect(() => ledger.increaseTime(time - todayMs / 1_000)).toThrow('cannot advance');
  }
  ledger.setNextTime(yearMs(9_000) / 1_000);
  await turnOf(await transfer(alice, 0));
  const { time } = chain.head();
  expect(readTime(`0x${(time + century).toString(16)}`)).toMatch(/^9\d{3}-/);
});

test('no block is earlier than its parent', async () => {
  ledger = createLedger({ chain, mining: { auto: true, intervalMs: 0 }, nowMs: () => 0 });
  await turnOf(await transfer(alice, 0));
  expect(chain.head().time).toBe(genesis.time);
  expect(() => ledger.setNextTime(genesis.time - 1)).toThrow("next block's time must be");
});
