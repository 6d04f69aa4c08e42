import { describe, expect, it } from 'vitest';
import { busyParties } from '../../../../../src/cli/stack/watching/wait-for.js';

const rest = { pending: 0, operations: 0, outbox: 0, chainLag: 0, waiting: [] };

describe('a wait that times out', () => {
  it('names the parties that are not at rest, with the reason', () => {
    const states = new Map([
      ['alice', rest],
      ['bob', { ...rest, pending: 2, outbox: 1, chainLag: 1, waiting: ['the chain'] }],
      ['carol', { ...rest, chainLag: null }],
      ['frank', { ...rest, operations: 1 }],
    ]);
    const nodes = ['alice', 'bob', 'carol', 'frank', 'dave'].map((name) => ({ name, state: 'healthy' as const }));
    expect(busyParties(nodes.slice(0, 1), states)).toBeUndefined();
    expect(busyParties([...nodes, { name: 'erin', state: 'paused' }], states)).toBe(
      'bob: 2 pending, 1 not delivered, 1 block behind, waits for the chain; carol: no chain; ' +
        'frank: 1 operation under way; dave does not answer; erin is paused',
    );
  });
});
