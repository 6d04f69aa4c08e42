import { describe, expect, it } from 'vitest';
import { limitOf } from '../../../src/testing/limits.js';

describe('a time limit of the testing module', () => {
  it('is the default if the caller gives none, and 0 is a limit', () => {
    expect(limitOf('within', undefined, 500)).toBe(500);
    expect(limitOf('within', 0, 500)).toBe(0);
  });

  it.each([Number.NaN, -1, 2 ** 31, Number.POSITIVE_INFINITY, '500', null])('is never %s', (value) => {
    expect(() => limitOf('within', value, 500)).toThrow(TypeError);
  });
});
