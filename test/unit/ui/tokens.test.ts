import { describe, expect, it } from 'vitest';
import { amountText, maxShortCharacters, shortAmountText } from '../../../ui/src/components/text/amount.js';
import { addUp, heldBy, poolAmount, shortPoolAmount } from '../../../ui/src/pages/tokens/amounts.js';
import { formatTokenId, parseTokenId, shortIndexText } from '../../../ui/src/pages/tokens/token-id.js';
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
  it('has the decimal point of its pool and every significant digit', () => {
    expect(amountText('1234567', 2)).toBe('12 345.67');
    expect(amountText('5', 18)).toBe('0.000000000000000005');
    expect(amountText('1000000000000000000', 18)).toBe('1');
    expect(amountText('0', 18)).toBe('0');
  });

  it('is shown without a point if the decimals of its pool are impossible', () => {
    expect(amountText('12345', 1_000_000_000)).toBe('12 345');
    expect(amountText('12345', -1)).toBe('12 345');
  });

  it('of a non-fungible pool is a number of tokens', () => {
    expect(poolAmount('1', { type: 'nonfungible' })).toBe('1 token');
    expect(poolAmount('3', { type: 'nonfungible', decimals: 0 })).toBe('3 tokens');
  });
});

describe('an amount in a column of a list', () => {
  it.each([
    ['12345678901234567890', undefined, '≈ 1.23 × 10¹⁹'],
    ['100000000000000000000', undefined, '1 × 10²⁰'],
    ['1005000000000000000000', undefined, '≈ 1.00 × 10²¹'],
    ['1234567890', undefined, '1 234 567 890'],
    ['12345678901234567890123', 18, '≈ 12 345.6789'],
    ['123456789123456', 6, '≈ 123 456 789'],
    ['5', 18, '5 × 10⁻¹⁸'],
    ['1234567890', 18, '≈ 1.23 × 10⁻⁹'],
    ['12345678901234567', 18, '≈ 0.012345678'],
  ])('shows the magnitude of %s with %s decimals', (digits, decimals, shown) => {
    expect(shortAmountText(amountText(digits, decimals)).replaceAll(/\s/g, ' ')).toBe(shown);
  });

  it('fits into its column with any number of digits', () => {
    for (let length = 1; length <= 78; length++)
      for (const decimals of [0, 6, 18, 77])
        expect(shortAmountText(amountText('9'.repeat(length), decimals)).length).toBeLessThanOrEqual(
          maxShortCharacters + 2,
        );
  });

  it('drops the noun of a non-fungible pool before digits', () => {
    const pool = { type: 'nonfungible' } as const;
    expect([shortPoolAmount('3', pool), shortPoolAmount('1234567', pool)].map((text) => text.length)).toEqual([8, 9]);
  });
});

describe('holdings', () => {
  it('are added up exactly for each holder, the largest first', () => {
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
  it('is read unchanged from the URL', () => {
    const token = { pool: 'b7417baf-f576-41b5-b78f-3703ea98612f', index: '340282366920938463463' };
    expect(parseTokenId(formatTokenId(token))).toEqual(token);
    expect(parseTokenId('x')).toEqual({ pool: 'x', index: '' });
  });

  it('keeps both ends of a large index', () => {
    expect([shortIndexText('340282366920938463463'), shortIndexText('123456789012')]).toEqual([
      '340282…63463',
      '123456789012',
    ]);
  });
});
