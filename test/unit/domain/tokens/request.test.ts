import { describe, expect, it } from 'vitest';
import {
  checkTransfer,
  maxAmount,
  operationData,
  readAmount,
  readTokenIndex,
} from '../../../../src/domain/tokens/request.js';
import type { TransferForm } from '../../../../src/domain/tokens/request.js';
import { compact } from '../../../../src/wire/json/json-reader.js';
import { codeOf } from '../../../support/codes.js';

const max = String(maxAmount);

describe('an amount', () => {
  it.each([
    ['1', '1'],
    ['"1"', '1'],
    ['"0007"', '7'],
    ['"0xff"', '255'],
    ['9007199254740993', '9007199254740993'],
    [max, max],
    [`"${max}"`, max],
    [`"0x${'f'.repeat(64)}"`, max],
    [`"${'7'.padStart(1_000, '0')}"`, '7'],
  ])('%s is read from its text', (text, amount) => {
    expect(readAmount('amount', compact(text))).toBe(amount);
  });

  it.each([
    '1.5',
    '1e2',
    '1E2',
    '-1',
    '"-1"',
    '" 1"',
    '"1.0"',
    '""',
    '"0x"',
    '"0xg"',
    'true',
    'null',
    '[1]',
    '{"a":1}',
  ])('%s is no whole number', (text) => {
    expect(codeOf(() => readAmount('amount', compact(text)))).toBe('FF00104');
  });

  it.each(['0', '"0"', '"0x0"', String(maxAmount + 1n), `"0x1${'0'.repeat(64)}"`, `"${'7'.padStart(1_001, '0')}"`])(
    '%s is out of range',
    (text) => {
      expect(codeOf(() => readAmount('amount', compact(text)))).toBe('PY1401');
    },
  );

  it('is required', () => {
    expect(codeOf(() => readAmount('amount', undefined))).toBe('FF00112');
  });
});

describe('the index of a token', () => {
  it('is a number or a text, without leading zeros', () => {
    expect(readTokenIndex(compact('7'))).toBe('7');
    expect(readTokenIndex(compact('"007"'))).toBe('7');
    expect(readTokenIndex(compact('0'))).toBe('0');
    expect(readTokenIndex(compact(max))).toBe(max);
    expect(readTokenIndex(compact(`"${'7'.padStart(1_000, '0')}"`))).toBe('7');
  });

  it('is absent if nothing or an empty text is given', () => {
    expect(readTokenIndex(undefined)).toBeUndefined();
    expect(readTokenIndex(compact('""'))).toBeUndefined();
  });

  it('is refused if it is not a number, or larger than a contract can count', () => {
    expect(codeOf(() => readTokenIndex(compact('"first"')))).toBe('FF00104');
    expect(codeOf(() => readTokenIndex(compact(String(maxAmount + 1n))))).toBe('PY1401');
  });
});

describe('tokens', () => {
  const form = { kind: 'transfer', type: 'nonfungible', amount: '1', tokenIndex: '1' } as const;

  it.each<Partial<TransferForm>>([
    {},
    { kind: 'burn' },
    { kind: 'mint', amount: '250', tokenIndex: undefined },
    { type: 'fungible', amount: '5', tokenIndex: undefined },
  ])('%j go with their pool', (changes) => {
    expect(codeOf(() => checkTransfer({ ...form, ...changes }))).toBeUndefined();
  });

  it.each<Partial<TransferForm>>([
    { tokenIndex: undefined },
    { kind: 'burn', tokenIndex: undefined },
    { amount: '2' },
    { kind: 'mint' },
    { kind: 'mint', amount: '251', tokenIndex: undefined },
    { type: 'fungible' },
    { kind: 'mint', type: 'fungible' },
  ])('%j do not', (changes) => {
    expect(codeOf(() => checkTransfer({ ...form, ...changes }))).toBe('PY1402');
  });
});

describe('the data of an operation', () => {
  const tx = { id: 'a', type: 'token_transfer' };

  it('is its transaction', () => {
    expect(operationData(tx)).toBe('{"tx":"a","txtype":"token_transfer"}');
  });

  it('includes the message, if there is one', () => {
    const text = '{"tx":"a","txtype":"token_transfer","message":"b","messageHash":"c"}';
    expect(operationData(tx, { id: 'b', hash: 'c' })).toBe(text);
  });
});
