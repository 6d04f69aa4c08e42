import { expect, test } from 'vitest';
import { headOf, isExpected } from '../../../src/domain/head.js';

const pin = (name: string, overrides: object = {}) => ({ name, spent: false, masked: false, ...overrides });

test('the head is the earliest unspent expected pin', () => {
  expect(headOf([pin('a'), pin('b')])?.name).toBe('a');
  expect(headOf([pin('a', { spent: true }), pin('b'), pin('c')])?.name).toBe('b');
});

test('a context without such a pin has no head', () => {
  expect(headOf([])).toBeUndefined();
  expect(headOf([pin('a', { spent: true }), pin('b', { masked: true })])).toBeUndefined();
});

test('a masked pin that copies the hash of a topic is in nobody’s way', () => {
  expect(isExpected(pin('a', { masked: true }))).toBe(false);
  expect(headOf([pin('a', { masked: true }), pin('b')])?.name).toBe('b');
});
