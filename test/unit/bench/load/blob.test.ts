import { describe, expect, it } from 'vitest';
import { requiredOf } from '../../../../src/bench/load/blob.js';

describe('the evidence for a file between two parties', () => {
  it('includes privacy only if there is a third party', () => {
    expect(requiredOf(3)).toContain('I8');
    expect(requiredOf(2)).not.toContain('I8');
    expect(requiredOf(2)).toEqual(requiredOf(3).filter((invariant) => invariant !== 'I8'));
  });
});
