import { expect, test } from 'vitest';
import { multipleOf } from '../../../../../src/domain/schema/keywords/number.js';

test.each([
  [19.99, 0.01, true],
  [4.35, 0.01, true],
  [1.1, 0.1, true],
  [-6, 3, true],
  [0, 7, true],
  [1e22, 1e-7, true],
  [5e-324, 1, false],
  [7, 2, false],
  [0.015, 0.01, false],
  [Infinity, 1, false],
  [1, 0, false],
])('%d is a multiple of %d: %s', (value, divisor, expected) => {
  expect(multipleOf(value, divisor)).toBe(expected);
});
