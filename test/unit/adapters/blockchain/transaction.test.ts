import fc from 'fast-check';
import { encodeRlp, hexlify, toBeHex, Transaction, Wallet } from 'ethers';
import { expect, test } from 'vitest';
import { rlpBytes, rlpItemAt, rlpList, rlpNumber } from '../../../../src/adapters/blockchain/rlp.js';
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
const signer = createCallSigner({ privateKeys: [privateKey], contract, fees });

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

test('a signed call is the transaction that ethers signs, byte for byte', () => {
  fc.assert(
    fc.property(calls, nonces, chainIds, (call, nonce, chainId) => {
      const { raw, transactionHash } = signer.sign(key, nonce, call, chainId);
      const expected = Transaction.from({
        ...{ type: 2, chainId, nonce, to: call.to, data: call.data, gasLimit: call.gas, value: call.value },
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

test('what was signed reads as it was meant', () => {
  const call = { type: 'contract', to: contract, data: '0x1234', gas: 70_000, value: '5' } as const;
  const { raw } = signer.sign(key, 3, call, 31_337);
  const { to, ...rest } = readTransaction(raw);
  expect(to?.toLowerCase()).toBe(contract);
  expect(rest).toEqual({ from: key, data: '0x1234', nonce: 3, gas: '0x11170', value: '0x5' });
});

test('bytes that are no pairs of digits are not signed', () => {
  const call = { type: 'contract', to: contract, data: '0x123', gas: 70_000, value: '0' } as const;
  expect(() => signer.sign(key, 0, call, 1)).toThrow('pairs of digits');
});

test('bytes, numbers and lists are written as RLP has them', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 80 }), { maxLength: 12 }), (items) => {
      const written = rlpList(items.map(rlpBytes));
      expect(hexlify(written)).toBe(encodeRlp(items.map((item) => hexlify(item))));
    }),
  );
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), (value) => {
      expect(hexlify(rlpNumber(value))).toBe(encodeRlp(value === 0n ? '0x' : toBeHex(value)));
    }),
  );
});

test.each([0, 1, 55, 56, 255, 256, 70_000])('an item of %i bytes is found where it stands', (length) => {
  const bytes = Buffer.concat([Buffer.from('ffff', 'hex'), rlpBytes(Buffer.alloc(length, 0x81)), Buffer.from('00')]);
  const { start, end } = rlpItemAt(bytes, 2);
  expect([end - start, end]).toEqual([length, bytes.length - 2]);
});
