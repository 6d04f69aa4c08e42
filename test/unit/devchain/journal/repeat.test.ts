import { expect, test } from 'vitest';
import { createLedger, type Ledger } from '../../../../src/devchain/journal/ledger.js';
import type { Action } from '../../../../src/devchain/journal/journal.js';
import { createActionBatch } from '../../../../src/devchain/journal/repeat.js';
import { alice, newChain, transfer } from '../support.js';

async function aLedger(): Promise<Ledger> {
  return createLedger({ chain: await newChain(), mining: { auto: true, intervalMs: 0 }, nowMs: () => 0 });
}

/** Returns the actions of five blocks with a transaction each. */
async function fiveBlocks(): Promise<readonly Action[]> {
  const ledger = await aLedger();
  for (const nonce of [0, 1, 2, 3, 4]) {
    await ledger.send(await transfer(alice, nonce));
    await ledger.settle();
  }
  return ledger.take().actions;
}

const isMined = (action: Action) => action.do === 'mine';

test('of a batch with a wrong block the first one that differs is named', async () => {
  const actions = (await fiveBlocks()).map((action) =>
    action.do === 'mine' && action.number === 3 ? { ...action, time: action.time + 1 } : action,
  );
  await expect((await aLedger()).repeat(actions)).rejects.toThrow(
    /^Block 3 of the journal .* produced block 3 with 0x/,
  );
});

test('the same holds if a later call of the batch fails because of it', async () => {
  const [mined] = (await fiveBlocks()).filter(isMined);
  if (mined === undefined) throw new Error('there is a block');
  const actions: Action[] = [mined, { do: 'accept', raw: '0x00' }];
  await expect((await aLedger()).repeat(actions)).rejects.toThrow(/^Block 1 of the journal/);
});

test('a call that fails after correct blocks is reported like the engine reports it', async () => {
  const actions: Action[] = [...(await fiveBlocks()), { do: 'accept', raw: '0x00' }];
  const ledger = await aLedger();
  await expect(ledger.repeat(actions)).rejects.toMatchObject({ name: 'RpcError' });
});

test('calls that wait after a batch are mined with the next one', async () => {
  const actions = await fiveBlocks();
  for (let cut = 0; cut <= actions.length; cut += 1) {
    const ledger = await aLedger();
    await ledger.repeat(actions.slice(0, cut));
    await ledger.repeat(actions.slice(cut));
    expect(ledger.chain.head().hash).toBe(actions.findLast(isMined)?.hash);
    expect(await ledger.chain.allWaiting()).toEqual(new Set());
  }
});

test('a batch is full at 256 actions, or earlier if its transactions may use much gas', async () => {
  const batch = createActionBatch();
  const [mined] = (await fiveBlocks()).filter(isMined);
  if (mined === undefined) throw new Error('there is a block');
  for (let count = 1; count < 256; count += 1) batch.add(mined);
  expect(batch.isFull()).toBe(false);
  batch.add(mined);
  expect(batch.isFull()).toBe(true);
  expect(batch.take()).toHaveLength(256);
  expect(batch.take()).toEqual([]);
  batch.add({ do: 'accept', raw: await transfer(alice, 0, { gasLimit: 7_999_999n }) });
  expect(batch.isFull()).toBe(false);
  batch.add({ do: 'accept', raw: await transfer(alice, 1, { gasLimit: 21_000n }) });
  expect(batch.isFull()).toBe(true);
});
