import { describe, expect, it } from 'vitest';
import { judgeFilter, parameterOf, parametersOf } from '../../../ui/src/api/filter.js';
import { joinHead, joinTail } from '../../../ui/src/api/join.js';
import { createRing } from '../../../ui/src/live/ring.js';
import { judgeEventFilter, passes } from '../../../ui/src/pages/events/filter.js';
import { tailCommand } from '../../../ui/src/pages/events/tail-command.js';
import { parsePlace } from '../../../ui/src/url/place.js';
import type { Event } from '../../../src/wire/event-record.js';
import { uuid } from '../../support/fixtures.js';

interface Row {
  readonly id: string;
  readonly at: number;
  readonly state: string;
}
const order = { keyOf: ({ id }: Row) => id, compare: (left: Row, right: Row) => right.at - left.at };
const row = (id: string, at: number, state = 'ready'): Row => ({ id, at, state });

describe('the rows of a list', () => {
  it('keep what stands behind the page that was read again, and show each row as it is now', () => {
    const held = [row('d', 4), row('c', 3), row('b', 2), row('a', 1)];
    const head = [row('e', 5), row('d', 4, 'confirmed'), row('c', 3)];
    expect(joinHead(held, head, order)).toEqual([...head, row('b', 2), row('a', 1)]);
  });

  it('lose what should stand in the page and does not', () => {
    const held = [row('d', 4), row('c', 3), row('b', 2), row('a', 1)];
    expect(joinHead(held, [row('d', 4), row('b', 2)], order).map(order.keyOf)).toEqual(['d', 'b', 'a']);
  });

  it('begin anew where the page does not meet what was held', () => {
    expect(joinHead([row('a', 1)], [row('z', 9), row('y', 8)], order).map(order.keyOf)).toEqual(['z', 'y']);
  });

  it('have a row once that two pages have', () => {
    const rows = joinTail([row('c', 3), row('b', 2)], [row('b', 2, 'confirmed'), row('a', 1)], order);
    expect(rows).toEqual([row('c', 3), row('b', 2, 'confirmed'), row('a', 1)]);
  });
});

describe('the newest of a stream', () => {
  it('are no more than there is room for', () => {
    const ring = createRing<number>(3);
    for (let n = 1; n <= 10; n++) ring.push(n);
    expect([ring.items(), ring.total()]).toEqual([[8, 9, 10], 10]);
    expect(ring.items()).toBe(ring.items());
  });
});

describe('the filters of a list', () => {
  it('are those of the node', () => {
    expect(parameterOf('tag=^order')).toEqual(['tag', '^order']);
    expect(parameterOf('tag=a=b')).toEqual(['tag', 'a=b']);
    expect([judgeFilter('messages', 'tag=x'), judgeFilter('messages', 'author=')]).toEqual([undefined, undefined]);
    expect(judgeFilter('messages', 'colour=red')).toMatch(/colour/);
    expect(judgeFilter('messages', 'red')).toMatch(/field=value/);
  });

  it('are asked with the range of time, without those that mean nothing', () => {
    const { place } = parsePlace('/ui/default/messages', '?f=tag=x&f=colour=red&from=-1h', {
      namespaces: ['default'],
      pages: ['messages'],
    });
    expect(parametersOf('messages', place, Date.parse('2026-01-31T12:00:00Z'))).toEqual([
      ['tag', 'x'],
      ['created', '>=2026-01-31T11:00:00.000Z'],
    ]);
  });
});

describe('the filters of events', () => {
  const event: Event = {
    ...{ id: uuid(1), sequence: 1, type: 'transaction_submitted', namespace: 'default', reference: uuid(2) },
    ...{ topic: 'batch_pin', created: '2026-01-31T12:00:00.000Z' },
  };

  it('are regular expressions of which all must match', () => {
    expect(passes(['events=^trans', 'topics=pin$'])(event)).toBe(true);
    expect(passes(['events=^trans', 'topics=^pin'])(event)).toBe(false);
    expect(passes(['message.tag=.'])(event)).toBe(false);
    expect([judgeEventFilter('events=('), judgeEventFilter('toString=x')].every((each) => each !== undefined)).toBe(
      true,
    );
  });

  it('have a command that follows the same', () => {
    expect(tailCommand(['message.tag=^a b$', 'events=rejected'])).toBe(
      `stack events tail --tag '^a b$' --type rejected`,
    );
  });
});
