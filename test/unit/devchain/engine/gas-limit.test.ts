import type { TransactionRequest } from 'ethers';
import { expect, test } from 'vitest';
import { gasLimitOf } from '../../../../src/devchain/engine/gas-limit.js';
import { alice, bob, chainId } from '../support.js';

const long = `0x${'ab'.repeat(300)}` as const;
const accessList = [{ address: bob.address, storageKeys: [`0x${'01'.repeat(32)}`] }];
const fees = { maxFeePerGas: 2n ** 100n, maxPriorityFeePerGas: 1n };
const kinds: readonly (readonly [name: string, transaction: TransactionRequest])[] = [
  ['without a type', { type: 0, gasPrice: 7n }],
  ['without a type, with much data', { type: 0, gasPrice: 2n ** 70n, data: long }],
  ['with an access list', { type: 1, gasPrice: 7n, accessList }],
  ['with two fees', { type: 2, ...fees }],
  ['with two fees and much data', { type: 2, ...fees, data: long, accessList }],
];

test.each(kinds)('reads the gas limit of a transaction %s, whatever its size', async (_, transaction) => {
  for (const gasLimit of [0n, 1n, 127n, 128n, 255n, 21_000n, 16_777_216n, 60_000_000n]) {
    for (const nonce of [0, 127, 128, 70_000]) {
      const raw = await alice.signTransaction({ chainId, to: bob.address, nonce, ...transaction, gasLimit });
      expect(gasLimitOf(raw)).toBe(Number(gasLimit));
    }
  }
});

test('reads the gas limit of the longest ones too', async () => {
  const raw = await alice.signTransaction({
    chainId,
    type: 2,
    ...fees,
    gasLimit: 9n,
    data: `0x${'ab'.repeat(70_000)}`,
  });
  expect(gasLimitOf(raw)).toBe(9);
});
