import { getCreateAddress } from 'ethers';
import { expect, test } from 'vitest';
import type { Chain } from '../../../../src/devchain/engine/chain.js';
import { estimateGas } from '../../../../src/devchain/engine/estimate.js';
import { alice, bob, newChain, transfer } from '../support.js';

/** Returns creation code for a contract with this code of 15 bytes. */
const creating = (code: string): string => `0x600f600c600039600f6000f3${code}`;
/** Returns code that reverts if it has less gas than its first number. */
const asksForGas = (gas: number): string => `62${gas.toString(16).padStart(6, '0')}5a10600a57005b600080fd`;
const needed = 1_000_000;

async function aContract(chain: Chain, code: string): Promise<string> {
  await chain.accept(await transfer(alice, 0, { to: null, data: creating(code) }));
  await chain.mine(chain.head().time + 1);
  return getCreateAddress({ from: alice.address, nonce: 0 });
}

async function gasOf(chain: Chain, to: string): Promise<number> {
  return Number(JSON.parse(await estimateGas(chain, [{ from: alice.address, to }])));
}

test('a call that needs only the gas it uses is estimated by the engine', async () => {
  const chain = await newChain();
  const answer = await chain.ask('eth_estimateGas', [{ from: alice.address, to: bob.address }]);
  expect(await gasOf(chain, bob.address)).toBe(Number(JSON.parse(answer)));
});

test('a contract that checks its gas gets enough, and little more', async () => {
  const chain = await newChain();
  const gas = await gasOf(chain, await aContract(chain, asksForGas(needed)));
  expect(gas).toBeGreaterThan(needed);
  expect(gas).toBeLessThan(needed * 1.1);
});

test('a contract that never has enough refuses', async () => {
  const chain = await newChain();
  const contract = await aContract(chain, asksForGas(0xffffff));
  await expect(gasOf(chain, contract)).rejects.toMatchObject({ code: 3 });
});

test('the estimated gas is enough for the call', async () => {
  const chain = await newChain();
  const to = await aContract(chain, asksForGas(needed));
  await chain.accept(await transfer(alice, 1, { to, gasLimit: await gasOf(chain, to) }));
  const { transactions } = await chain.mine(chain.head().time + 1);
  expect(await chain.ask('eth_getTransactionReceipt', [transactions[0]])).toContain('"status":"0x1"');
});
