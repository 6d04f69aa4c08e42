import { describe, expect, it } from 'vitest';
import { amountText } from '../../../ui/src/components/text/amount.js';
import { addUp, heldBy, poolAmount } from '../../../ui/src/pages/tokens/amounts.js';
import { formatTokenId, parseTokenId } from '../../../ui/src/pages/tokens/token-id.js';
import type { TokenBalance } from '../../../src/wire/token.js';

const aBalance = (key: string, balance: string): TokenBalance => ({
  pool: 'p',
  connector: 'erc1155',
  namespace: 'default',
  updated: '2026-01-01T00:00:00.000Z',
  key,
  balance,
});

describe('an amount', () => {
  it('has the point where the decimals of its pool put it, and loses no digit that counts', () => {
    expect(amountText('1234567', 2)).toBe('12 345.67');
    expect(amountText('5', 18)).toBe('0.000000000000000005');
    expect(amountText('1000000000000000000', 18)).toBe('1');
    expect(amountText('0', 18)).toBe('0');
  });

  it('is shown as it is where a pool names decimals that no chain has', () => {
    expect(amountText('12345', 1_000_000_000)).toBe('12 345');
    expect(amountText('12345', -1)).toBe('12 345');
  });

  it('of a non-fungible pool is a number of tokens', () => {
    expect(poolAmount('1', { type: 'nonfungible' })).toBe('1 token');
    expect(poolAmount('3', { type: 'nonfungible', decimals: 0 })).toBe('3 tokens');
  });
});

describe('holdings', () => {
  it('are added up by holder beyond what a float could hold, the largest first', () => {
    const large = '9007199254740993';
    const holdings = addUp([aBalance('0xA', '1'), aBalance('0xb', large), aBalance('0xa', '2')], false);
    expect([...holdings.holders]).toEqual([
      ['0xb', large],
      ['0xa', '3'],
    ]);
    expect(holdings.supply).toBe('9007199254740996');
    expect(heldBy(['0xa', '0xb', '0xc'], holdings)).toBe('9007199254740996');
    expect(heldBy([], holdings)).toBe('0');
  });
});

describe('a non-fungible token', () => {
  it('is the same again from its place in the URL', () => {
    const token = { pool: 'b7417baf-f576-41b5-b78f-3703ea98612f', index: '340282366920938463463' };
    expect(parseTokenId(formatTokenId(token))).toEqual(token);
    expect(parseTokenId('x')).toEqual({ pool: 'x', index: '' });
  });
});
