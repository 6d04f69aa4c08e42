import { describe, expect, it } from 'vitest';
import { busyParties } from '../../../../../src/cli/stack/watching/wait-for.js';

const rest = { pending: 0, outbox: 0, chainLag: 0, waiting: [] };

describe('a wait that ends in vain', () => {
  it('names the parties that are not at rest, and why', () => {
    const states = new Map([
      ['alice', rest],
      ['bob', { pending: 2, outbox: 1, chainLag: 1, waiting: ['the chain'] }],
      ['carol', { ...rest, chainLag: null }],
    ]);
    expect(busyParties(['alice'], states)).toBeUndefined();
    expect(busyParties(['alice', 'bob', 'carol', 'dave'], states)).toBe(
      'bob: 2 pending, 1 not delivered, 1 block behind, waits for the chain; carol: no chain; dave does not answer',
    );
  });
});
