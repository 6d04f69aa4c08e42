import { describe, expect, it, onTestFinished } from 'vitest';
import { createClient } from '../../../../../src/client/client.js';
import { busyParties, nextEventCheck } from '../../../../../src/cli/stack/watching/wait-for.js';
import { uuid } from '../../../../support/fixtures.js';
import { startPlainNode } from '../../plain-node.js';

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

interface AnEvent {
  readonly id: string;
  readonly sequence: number;
  readonly type: string;
}

/** Events from the first on; a history has ids of its own. */
function eventsOf(history: number, ...types: readonly string[]): readonly AnEvent[] {
  return types.map((type, index) => ({ id: uuid(100 * history + index), sequence: index + 1, type }));
}

/** A wait for an event of the type `paid` at a node that has these events, and may have others later, or be away. */
async function aWait(atFirst: readonly AnEvent[]) {
  let events: readonly AnEvent[] | 'away' = atFirst;
  const node = await startPlainNode(({ query }) => {
    if (events === 'away') return { status: 503, body: { error: 'PY1010: The node is stopping.' } };
    const [, operator = '', number = ''] = /^\[(>=?)(\d+)$/.exec(query.get('sequence') ?? '') ?? [];
    const least = operator === '' ? 0 : Number(number) + (operator === '>' ? 1 : 0);
    const found = events.filter(({ sequence }) => sequence >= least);
    return { body: query.get('sort') === 'sequence' ? found : found.slice(-1) };
  });
  onTestFinished(() => node.stop());
  const { url } = node;
  const party = { name: 'alice', client: createClient({ url }), organization: undefined, node: undefined };
  const check = await nextEventCheck('paid', { ...party, url, credential: undefined });
  return {
    checkWith(next: readonly AnEvent[] | 'away') {
      events = next;
      return check();
    },
  };
}

describe('a wait for an event', () => {
  it('is met by an event after its start, also if the node was away meanwhile', async () => {
    const { checkWith } = await aWait(eventsOf(1, 'paid', 'sent'));
    expect(await checkWith(eventsOf(1, 'paid', 'sent'))).toMatch(/no such event at alice/);
    expect(await checkWith('away')).toMatch(/no such event at alice/);
    expect(await checkWith(eventsOf(1, 'paid', 'sent', 'paid'))).toBeUndefined();
  });

  it.each([
    ['fewer', eventsOf(2, 'paid')],
    ['as many', eventsOf(2, 'sent', 'paid')],
    ['more', eventsOf(2, 'sent', 'paid', 'sent')],
  ])('ends if the stack was reset meanwhile and has %s events', async (_, events) => {
    const { checkWith } = await aWait(eventsOf(1, 'paid', 'sent'));
    await checkWith('away');
    await expect(checkWith(events)).rejects.toMatchObject({ code: 'UNHEALTHY' });
  });
});
