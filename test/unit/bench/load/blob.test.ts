import { describe, expect, it } from 'vitest';
import { requiredOf } from '../../../../src/bench/load/blob.js';

describe('what a file between two parties has to show', () => {
  it('is privacy only where there is a third party from whom it is kept', () => {
    expect(requiredOf(3)).toContain('I8');
    expect(requiredOf(2)).not.toContain('I8');
    expect(requiredOf(2)).toEqual(requiredOf(3).filter((invariant) => invariant !== 'I8'));
  });
});
