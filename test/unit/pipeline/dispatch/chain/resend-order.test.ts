import { expect, test } from 'vitest';
import { createMemoryDatabase } from '../../../../../src/adapters/database/memory/memory.js';
import { createResendOrder } from '../../../../../src/pipeline/dispatch/chain/resend-order.js';
import { anOperation } from '../../../../compliance/database/rows.js';

const call = { type: 'contract', to: `0x${'1'.repeat(40)}`, data: '0x', gas: 21_000, value: '0' } as const;
const refused = { status: 'reverted', reason: 'NotCreator', data: '0x' } as const;
const most = 1_000;

/** A node behind a reorganisation, whose contract takes only these calls. */
function aNode(taken: readonly string[]) {
  const isTimely = createResendOrder({
    database: createMemoryDatabase(),
    blockchain: {
      count: () => Promise.resolve(0),
      estimate: async (signer) => (taken.includes(signer) ? { status: 'success', gas: 21_000 } : refused),
    },
  });
  /** Attempts until a call is sent again. */
  return async (signer: string): Promise<number> => {
    const operation = { ...anOperation({ id: signer, signer, nonce: 0 }), sequence: 1 };
    const stored = { operation: signer, nonce: 0, raw: '0x', transactionHash: null, after: [] };
    for (let attempt = 1; attempt <= most; attempt += 1) {
      if (await isTimely(operation, { call: () => Promise.resolve(call) }, stored)) return attempt;
    }
    return most;
  };
}

test('a call that its contract takes is sent at once', async () => {
  expect(await aNode(['a'])('a')).toBe(1);
});

test('refused calls wait for what others send again: the first for long, those behind it for a moment', async () => {
  const attempts = aNode([]);
  expect([await attempts('a'), await attempts('b'), await attempts('c')]).toEqual([41, 6, 6]);
});

test('once a call was taken, others wait for long again', async () => {
  const attempts = aNode(['b']);
  expect([await attempts('a'), await attempts('b'), await attempts('c')]).toEqual([41, 1, 41]);
});
