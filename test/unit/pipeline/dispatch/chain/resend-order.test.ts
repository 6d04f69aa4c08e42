import { expect, test } from 'vitest';
import { createMemoryDatabase } from '../../../../../src/adapters/database/memory/memory.js';
import { createResendOrder } from '../../../../../src/pipeline/dispatch/chain/resend-order.js';
import { anOperation } from '../../../../compliance/database/rows.js';

const call = { type: 'contract', to: `0x${'1'.repeat(40)}`, data: '0x', gas: 21_000, value: '0' } as const;
const refused = { status: 'reverted', reason: 'NotCreator', data: '0x' } as const;
const maxAttempts = 1_000;

/** Creates the order of calls after a reorganisation; the contract accepts calls of these signers only. */
function anOrder(accepted: readonly string[]) {
  const isTimely = createResendOrder({
    database: createMemoryDatabase(),
    blockchain: {
      count: () => Promise.resolve(0),
      estimate: async (signer) => (accepted.includes(signer) ? { status: 'success', gas: 21_000 } : refused),
    },
  });
  /** Returns the number of attempts until a call is sent again. */
  return async (signer: string): Promise<number> => {
    const operation = { ...anOperation({ id: signer, signer, nonce: 0 }), sequence: 1 };
    const stored = { operation: signer, nonce: 0, raw: '0x', transactionHash: null, after: [] };
    for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
      if (await isTimely(operation, { call: () => Promise.resolve(call) }, stored)) return attempt;
    }
    return maxAttempts;
  };
}

test('sends a call at once if the contract accepts it', async () => {
  expect(await anOrder(['a'])('a')).toBe(1);
});

test('delays the first refused call for long, and the next ones shortly', async () => {
  const attempts = anOrder([]);
  expect([await attempts('a'), await attempts('b'), await attempts('c')]).toEqual([41, 6, 6]);
});

test('delays a refused call less after an accepted one, however often they alternate', async () => {
  const attempts = anOrder(['b', 'd']);
  const each = [
    await attempts('a'),
    await attempts('b'),
    await attempts('c'),
    await attempts('d'),
    await attempts('e'),
  ];
  expect(each).toEqual([41, 1, 11, 1, 11]);
});

test('delays the first refused call for long, whatever was accepted before', async () => {
  const attempts = anOrder(['a']);
  expect([await attempts('a'), await attempts('b')]).toEqual([1, 41]);
});
