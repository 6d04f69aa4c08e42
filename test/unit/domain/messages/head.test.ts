import { describe, expect, test } from 'vitest';
import { earliest, headOf, isExpected } from '../../../../src/domain/messages/head.js';

describe('the head of a broadcast context', () => {
  const pin = (sequence: number, state: { spent?: boolean; masked?: boolean } = {}) => {
    return { sequence, spent: false, masked: false, ...state };
  };

  test('is its earliest unspent pin', () => {
    expect(headOf([pin(1, { spent: true }), pin(2), pin(3)])?.sequence).toBe(2);
    expect(headOf([pin(1, { spent: true })])).toBeUndefined();
    expect(headOf([])).toBeUndefined();
  });

  test('is never a masked pin, whatever its hash', () => {
    expect(headOf([pin(1, { masked: true }), pin(2)])?.sequence).toBe(2);
  });
});

describe('a pin in a private context', () => {
  const next = { identity: 'did:parley:org/alice', hash: 'a' };
  const pin = { sequence: 1, spent: false, masked: true, context: 'a', identity: 'did:parley:org/alice' };

  test('is expected if it has the value of the next nonce and is signed by its member', () => {
    expect(isExpected(pin, next)).toBe(true);
  });

  test.each([
    ['is spent', { spent: true }],
    ['belongs to a broadcast', { masked: false }],
    ['has the value of another nonce', { context: 'b' }],
    ['is signed by somebody who copied its value', { identity: 'did:parley:org/mallory' }],
  ])('is not expected when it %s', (_, change) => {
    expect(isExpected({ ...pin, ...change }, next)).toBe(false);
  });

  test('is the head if no expected pin of another member is earlier', () => {
    const pins = [7, 3, 5].map((sequence) => ({ sequence, spent: false, masked: true }));
    expect(earliest(pins)?.sequence).toBe(3);
    expect(earliest([])).toBeUndefined();
  });
});
