import { afterEach, describe, expect, it, vi } from 'vitest';
import { lastOfAll, startFinder } from '../../../../src/cli/events/start.js';
import { createClient } from '../../../../src/client/client.js';
import { type PlainNode, startPlainNode } from '../plain-node.js';

/** Returns events of one node, newest first; the digits stand for their times. */
const events = (...times: readonly string[]) => ({ events: times.map((created) => ({ created })) });

describe('the last events of all nodes', () => {
  it('are counted together', () => {
    expect(lastOfAll([events('9', '4', '1'), events('8', '7', '6'), events()], 4)).toEqual([1, 3, 0]);
    expect(lastOfAll([events('2'), events('1')], 20)).toEqual([1, 1]);
    expect(lastOfAll([events('2'), events('1')], 0)).toEqual([0, 0]);
  });

  it('are those of the nodes that answered', () => {
    expect(lastOfAll([undefined, events('3', '2', '1')], 2)).toEqual([0, 2]);
  });
});

describe('the start at a node', () => {
  let node: PlainNode | undefined;
  afterEach(async () => {
    vi.useRealTimers();
    await node?.stop();
  });

  /** Returns a client of a node that has an event every second, whose sequence is its second. */
  async function clientAt(newest: number) {
    node = await startPlainNode(({ path, query }) => {
      if (path !== 'events') return undefined;
      const least = /^\[>=(.*)$/.exec(query.get('created') ?? '')?.[1] ?? at(0);
      const matching = Array.from({ length: newest }, (_, index) => event(index + 1)).filter(
        ({ created }) => created >= least,
      );
      const ordered = query.get('sort') === 'sequence' ? matching : matching.toReversed();
      return { body: ordered.slice(0, Number(query.get('limit'))) };
    });
    return createClient({ url: node.url });
  }
  const at = (second: number) => `2026-01-31T12:00:0${second}.000Z`;
  const id = '3d5b8a52-2c1f-4b7e-9f60-1b0a4d7c9e11';
  const event = (sequence: number) => ({
    id,
    sequence,
    type: 'message_confirmed',
    namespace: 'default',
    reference: id,
    created: at(sequence),
  });

  it.each([
    ['is behind the newest', {}, false, 6],
    ['that was away when the command began is behind what it had then', {}, true, 3],
    ['with its last events has these', { lines: 2 }, false, 4],
    ['that was away has its last events, and those since the command began', { lines: 2 }, true, 3],
    ['that was away has as many of its last events', { lines: 4 }, true, 2],
  ])('%s', async (_, flags, isLate, start) => {
    vi.useFakeTimers({ now: Date.parse(at(4)), toFake: ['Date'] });
    const client = await clientAt(6);
    const find = startFinder(
      { since: undefined, lines: undefined, ...flags },
      { filters: {}, clients: [client], note },
    );
    expect((await find(client, isLate)).start).toBe(start);
  });
  const note = () => Promise.resolve();
});
