import { expect, test } from 'vitest';
import { balanceAfter, changesOf } from '../../../../src/domain/tokens/balance.js';

const most = String(2n ** 256n - 1n);

test('one side loses what the other gains', () => {
  expect(changesOf({ tokenIndex: null, from: '0xa', to: '0xb', amount: '7' })).toEqual([
    { tokenIndex: '', key: '0xa', by: -7n },
    { tokenIndex: '', key: '0xb', by: 7n },
  ]);
});

test('the zero address has no balance', () => {
  expect(changesOf({ tokenIndex: '3', from: null, to: '0xb', amount: '1' })).toEqual([
    { tokenIndex: '3', key: '0xb', by: 1n },
  ]);
  expect(changesOf({ tokenIndex: '3', from: '0xa', to: null, amount: '1' })).toEqual([
    { tokenIndex: '3', key: '0xa', by: -1n },
  ]);
});

test('the largest amount of a contract is added and subtracted exactly', () => {
  const full = balanceAfter('0', BigInt(most));
  expect(full).toBe(most);
  expect(balanceAfter(full, -1n)).toBe(String(2n ** 256n - 2n));
  expect(balanceAfter(full, -BigInt(most))).toBe('0');
});
