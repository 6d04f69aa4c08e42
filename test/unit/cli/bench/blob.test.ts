import { describe, expect, it } from 'vitest';
import { bytesOf } from '../../../../src/cli/bench/blob.js';

describe('the size of a file', () => {
  it('is read with decimal and binary units, or as bytes', () => {
    expect(['1GiB', '200MB', '4k', '12', '3 Mi'].map(bytesOf)).toEqual([
      1_073_741_824, 200_000_000, 4_000, 12, 3_145_728,
    ]);
  });

  it('is refused if it is invalid', () => {
    for (const text of ['', '0', 'x', '1.5GB', '-1', '1TB']) expect(() => bytesOf(text)).toThrow('--size must be like');
  });
});
