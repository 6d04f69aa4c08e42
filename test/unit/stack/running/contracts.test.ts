import { hexlify, randomBytes, Wallet } from 'ethers';
import { describe, expect, test } from 'vitest';
import { createSigner, type Unsigned } from '../../../../src/stack/running/contracts.js';

const key = `0x${'1b'.repeat(32)}`;
const chainId = 31_337;
const fees = { maxFeePerGas: 100_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n };
const to = `0x${'2c'.repeat(20)}`;

describe("The operator's signer", () => {
  const signer = createSigner(key, chainId, { abi: [], bytecode: '0x' }, fees);

  test.each<[string, Unsigned]>([
    ['a deployment', { nonce: 0, data: hexlify(randomBytes(5_000)), gas: 5_000_000n }],
    ['a call', { nonce: 1, to, data: '0x12345678', gas: 400_000n }],
    ['a transfer', { nonce: 129, to, data: '0x', gas: 21_000n, value: 10n ** 18n }],
  ])('signs %s like ethers', async (_, { gas, ...unsigned }) => {
    const expected = await new Wallet(key).signTransaction({
      type: 2,
      chainId,
      gasLimit: gas,
      value: 0n,
      ...fees,
      ...unsigned,
    });
    expect(signer.sign({ ...unsigned, gas }).raw).toBe(expected);
  });
});
