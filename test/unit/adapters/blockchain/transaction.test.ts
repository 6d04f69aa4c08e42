import fc from 'fast-check';
import { hexlify, Transaction, Wallet } from 'ethers';
import { expect, test } from 'vitest';
import {
  createCallSigner,
  isDeployment,
  readTransaction,
  transactionHashOf,
} from '../../../../src/adapters/blockchain/transaction.js';

const privateKey = `0x${'5'.repeat(64)}`;
const wallet = new Wallet(privateKey);
const key = wallet.address.toLowerCase();
const fees = { maxFeePerGas: 100_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n };
const contract = `0x${'c0'.repeat(20)}`;
const signer = createCallSigner({ privateKeys: [privateKey], contract });

const hex = (size: { readonly minLength?: number; readonly maxLength: number }) =>
  fc.uint8Array(size).map((bytes) => hexlify(bytes));
const calls = fc.record({
  type: fc.constant('contract' as const),
  to: fc.option(hex({ minLength: 20, maxLength: 20 })),
  data: fc.oneof(hex({ maxLength: 4 }), hex({ minLength: 40, maxLength: 70 }), hex({ maxLength: 1_000 })),
  gas: fc.integer({ min: 0, max: 60_000_000 }),
  value: fc.bigInt({ min: 0n, max: 2n ** 200n }).map(String),
});
const nonces = fc.oneof(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 0, max: 2 ** 40 }));
const chainIds = fc.integer({ min: 1, max: 2 ** 40 });

test('a signed call equals the transaction that ethers signs, byte for byte', () => {
  fc.assert(
    fc.property(calls, nonces, chainIds, (call, nonce, chainId) => {
      const { raw, transactionHash } = signer.sign(key, nonce, call, { chainId, fees });
      const expected = Transaction.from({
        type: 2,
        chainId,
        nonce,
        to: call.to,
        data: call.data,
        gasLimit: call.gas,
        value: call.value,
        ...fees,
      });
      expected.signature = wallet.signingKey.sign(expected.unsignedHash);
      expect(raw).toBe(expected.serialized);
      expect(`0x${transactionHash}`).toBe(expected.hash);
      expect(transactionHashOf(raw)).toBe(transactionHash);
      expect(isDeployment(raw)).toBe(call.to === null);
    }),
    { numRuns: 40 },
  );
});

test('a signed call is decoded to its fields', () => {
  const target = `0x${'9'.repeat(40)}`;
  const call = { type: 'contract', to: target, data: '0x1234', gas: 70_000, value: '5' } as const;
  const { raw } = signer.sign(key, 3, call, { chainId: 31_337, fees });
  const { to, ...rest } = readTransaction(raw);
  expect(to?.toLowerCase()).toBe(target);
  expect(rest).toEqual({ from: key, data: '0x1234', nonce: 3, gas: '0x11170', value: '0x5' });
});
