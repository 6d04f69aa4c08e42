import { describe, expect, it } from 'vitest';
import { nextAsked } from '../../../ui/src/api/asked.js';
import { judgeFilter, parameterOf, parametersOf, rangeOf } from '../../../ui/src/api/filter.js';
import { maxRows, withNextPage } from '../../../ui/src/api/loaded-rows.js';
import { mergeHead, mergeTail } from '../../../ui/src/api/merge-rows.js';
import { pageBehind, sortParameters } from '../../../ui/src/api/sorting.js';
import {
  chosenColumns,
  type Column,
  nextSort,
  shownColumns,
  sortingOf,
} from '../../../ui/src/components/table/columns.js';
import { rangeNow } from '../../../ui/src/components/range-now.js';
import { lostAt } from '../../../ui/src/live/live-state.js';
import { createRing } from '../../../ui/src/live/ring.js';
import { judgeEventFilter, passes } from '../../../ui/src/pages/events/filter.js';
import { joinEvents } from '../../../ui/src/pages/events/join-events.js';
import { tailCommand } from '../../../ui/src/pages/events/tail-command.js';
import { linesWith } from '../../../ui/src/pages/network/log-lines.js';
import { parsePlace } from '../../../ui/src/url/place.js';
import { testOf } from '../../../src/wire/lists/condition.js';
import type { Event } from '../../../src/wire/events/event-record.js';
import { readFilter } from '../../../src/wire/lists/filter.js';
import { uuid } from '../../support/fixtures.js';

interface Row {
  readonly id: string;
  readonly at: number;
  readonly state: string;
}
const keyOf = ({ id }: Row) => id;
const row = (id: string, at: number, state = 'ready'): Row => ({ id, at, state });

function anEvent(more: Partial<Event> = {}): Event {
  return {
    id: uuid(1),
    sequence: 1,
    type: 'transaction_submitted',
    namespace: 'default',
    reference: uuid(2),
    topic: 'batch_pin',
    created: '2026-01-31T12:00:00.000Z',
    ...more,
  };
}

describe('the rows of a list', () => {
  it('are replaced by the page that was read again, and rows behind it stay', () => {
    const held = [row('d', 4), row('c', 3), row('b', 2), row('a', 1)];
    const head = [row('e', 5), row('d', 4, 'confirmed'), row('c', 3)];
    expect(mergeHead(held, head, keyOf)).toEqual([...head, row('b', 2), row('a', 1)]);
  });

  it('lose a row that is no longer in the page', () => {
    const held = [row('d', 4), row('c', 3), row('b', 2), row('a', 1)];
    expect(mergeHead(held, [row('d', 4), row('b', 2)], keyOf)?.map(keyOf)).toEqual(['d', 'b', 'a']);
  });

  it('cannot be merged with a page that does not overlap, or only far behind', () => {
    expect(mergeHead([row('a', 1)], [row('z', 9), row('y', 8)], keyOf)).toBeUndefined();
    const held = ['f', 'e', 'd', 'c', 'b', 'a'].map((id, index) => row(id, 6 - index));
    expect(mergeHead(held, [row('z', 9), row('a', 8)], keyOf)).toBeUndefined();
  });

  it('have a row of two pages only once', () => {
    const rows = mergeTail([row('c', 3), row('b', 2)], [row('b', 2, 'confirmed'), row('a', 1)], keyOf);
    expect(rows).toEqual([row('c', 3), row('b', 2, 'confirmed'), row('a', 1)]);
  });
});

describe('a full list', () => {
  const rowsOf = (first: number, count: number) =>
    Array.from({ length: count }, (_, index) => row(String(first + index), first + index));

  it('drops its first rows for the next page, and counts them', () => {
    const loaded = { key: 'list', query: '', rows: rowsOf(0, maxRows), isComplete: false, skipped: 0 };
    const next = withNextPage(loaded, rowsOf(maxRows, 100), keyOf);
    expect([next.rows.length, next.rows[0]?.at, next.rows.at(-1)?.at]).toEqual([4_100, 1_000, maxRows + 99]);
    expect([next.skipped, next.isComplete]).toEqual([1_000, false]);
    expect(withNextPage(next, rowsOf(maxRows + 100, 7), keyOf)).toMatchObject({ skipped: 1_000, isComplete: true });
  });
});

describe('the next page of a list', () => {
  const newest = { field: 'created', isDescending: true, keyOf: ({ at }: Row) => (at === 0 ? undefined : at) };

  it('begins at the key of the last row, and skips the rows with this key', () => {
    const rows = [row('d', 4), row('c', 3), row('b', 3)];
    expect(pageBehind(rows, newest, [])).toEqual([
      ['created', '[<=3'],
      ['skip', '2'],
    ]);
    expect(pageBehind(rows, { ...newest, isDescending: false }, [])[0]).toEqual(['created', '[>=3']);
  });

  it('is found by counting rows if there is no key, or a filter on it would change the others', () => {
    const rows = [row('d', 4), row('c', 0)];
    const byCount = [['skip', '2']];
    expect(pageBehind(rows, undefined, [])).toEqual(byCount);
    expect(pageBehind(rows, newest, [])).toEqual(byCount);
    const either = ['4', '3'].map((at) => ['created', at] as const);
    expect(pageBehind([row('d', 4), row('c', 3)], newest, either)).toEqual(byCount);
    expect(pageBehind([row('d', 4), row('c', 3)], newest, [...either, ['created', '[>1']])).toHaveLength(2);
  });

  it('counts dropped rows if it is found by counting, or if they may share the key', () => {
    const rows = [row('d', 4), row('c', 4)];
    expect(pageBehind(rows, undefined, [], 1_000)).toEqual([['skip', '1002']]);
    expect(pageBehind(rows, newest, [], 1_000)).toEqual([['skip', '1002']]);
    expect(pageBehind([...rows, row('b', 3)], newest, [], 1_000)).toEqual([
      ['created', '[<=3'],
      ['skip', '1'],
    ]);
  });

  it('asks for an order only if it is not the default of the list', () => {
    expect(sortParameters(newest)).toEqual([['sort', '-created']]);
    expect([sortParameters({ ...newest, isOwn: true }), sortParameters(undefined)]).toEqual([[], []]);
  });
});

describe('the log of a process', () => {
  it('shows the lines that contain a text in any case, newest first', () => {
    expect(linesWith(['Ready', 'late', 'not ready'], ' READY ')).toEqual(['not ready', 'Ready']);
    expect(linesWith(['a', 'b'], '')).toEqual(['b', 'a']);
  });
});

describe('the columns of a list', () => {
  const render = () => null;
  const columns: readonly Column<Row>[] = [
    { name: 'id', title: 'Id', render },
    { name: 'state', title: 'State', from: 500, sort: { field: 'state' }, render },
    { name: 'age', title: 'Age', isNumber: true, sort: { field: 'created' }, render },
  ];
  const shown = (wanted: readonly string[] | undefined, width: number) =>
    shownColumns(columns, chosenColumns(columns, wanted).names, width).map(({ name }) => name);

  it('are the chosen ones in the order of the list, or else those that fit', () => {
    expect(shown(undefined, 400)).toEqual(['id', 'age']);
    expect(shown(undefined, 500)).toEqual(['id', 'state', 'age']);
    expect(shown(['state', 'id'], 400)).toEqual(['id', 'state']);
  });

  it('leave room for those without a width, by leaving out what only the widest tables show', () => {
    const amounts = ['alice', 'bob', 'carol'].map((name, at) => ({
      name,
      title: name,
      width: 136,
      from: 240 + at,
      render,
    }));
    const pools: readonly Column<Row>[] = [{ name: 'pool', title: 'Pool', render }, ...amounts];
    const names = (width: number) => shownColumns(pools, undefined, width).map(({ name }) => name);
    expect(names(520)).toEqual(['pool', 'alice', 'bob', 'carol']);
    expect(names(480)).toEqual(['pool', 'alice', 'bob']);
    expect(names(100)).toEqual(['pool']);
  });

  it('are reported if they do not exist, and the rest is shown', () => {
    expect(shown(['colour'], 400)).toEqual(['id', 'age']);
    expect(chosenColumns(columns, ['colour', 'id'])).toMatchObject({
      names: ['id'],
      notice: 'No column named colour. Columns: id, state, age.',
    });
  });

  it('sort by their field in one direction, then the other, then not', () => {
    expect(sortingOf(columns, '-created').sorting).toEqual({ field: 'created', isDescending: true });
    expect(sortingOf(columns, 'colour')).toEqual({
      sorting: undefined,
      notice: 'This list cannot be sorted by colour. It can be sorted by: state, created.',
    });
    const [id, state, age] = columns as [Column<Row>, Column<Row>, Column<Row>];
    expect([nextSort(state, undefined), nextSort(state, 'state'), nextSort(state, '-state')]).toEqual([
      'state',
      '-state',
      undefined,
    ]);
    expect([nextSort(age, 'state'), nextSort(age, '-created'), nextSort(id, 'state')]).toEqual([
      '-created',
      'created',
      'state',
    ]);
  });
});

describe('the ring of the newest items', () => {
  it('keeps no more items than its size', () => {
    const ring = createRing<number>(3);
    for (let n = 1; n <= 10; n++) ring.push(n);
    expect([ring.items(), ring.total()]).toEqual([[8, 9, 10], 10]);
    expect(ring.items()).toBe(ring.items());
  });
});

describe('the events of a list', () => {
  const events = (...sequences: readonly number[]) =>
    sequences.map((sequence) => anEvent({ id: uuid(sequence), sequence }));
  const sequences = (found: readonly Event[]) => found.map(({ sequence }) => sequence);

  it('are those of the socket before those of the node, each once', () => {
    expect(sequences(joinEvents(events(4, 5, 7), events(5, 2, 1), 10))).toEqual([7, 5, 2, 1]);
  });

  it('are only those of the socket if its buffer is full, since others may be missing', () => {
    expect(sequences(joinEvents(events(7, 8, 9), events(2, 1), 3))).toEqual([9, 8, 7]);
  });
});

describe('the last contact with the node', () => {
  it('is the time when a live connection was lost', () => {
    const state = { connection: 'live', contactMs: 1, gapAfter: undefined, isRefused: false } as const;
    expect(lostAt(state, 9)).toEqual({ connection: 'lost', contactMs: 9 });
    expect(lostAt({ ...state, connection: 'lost' }, 9)).toEqual({ connection: 'lost', contactMs: 1 });
  });
});

describe('the filters of a list', () => {
  it('are checked by the rules of the node', () => {
    expect(parameterOf('tag=^order')).toEqual(['tag', '^order']);
    expect(parameterOf('tag=a=b')).toEqual(['tag', 'a=b']);
    expect([judgeFilter('messages', 'tag=x'), judgeFilter('messages', 'author=')]).toEqual([undefined, undefined]);
    expect(judgeFilter('messages', 'colour=red')).toMatch(/colour/);
    expect(judgeFilter('messages', 'red')).toMatch(/field=value/);
  });

  it('are sent with the time range, without those that are invalid', () => {
    const nowMs = Date.parse('2026-01-31T12:00:00Z');
    const known = { namespaces: ['default'], pages: ['messages'] };
    const { place } = parsePlace('/ui/default/messages', '?f=tag=x&f=colour=red&from=-1h', known, nowMs);
    expect(parametersOf('messages', place, nowMs)).toEqual([
      ['tag', 'x'],
      ['created', '[>=2026-01-31T11:00:00.000Z'],
    ]);
  });

  it('advance in steps with a relative time range, and not with a fixed one', () => {
    const openedMs = Date.parse('2026-01-31T12:00:30Z');
    const startAt = (from: string, nowMs: number) =>
      rangeOf({ from, to: undefined }, rangeNow(from, undefined, nowMs))[0]?.[1];
    expect(startAt('-1h', openedMs)).toBe('[>=2026-01-31T11:00:00.000Z');
    expect(startAt('-1h', openedMs + 20_000)).toBe('[>=2026-01-31T11:00:00.000Z');
    expect(startAt('-1h', openedMs + 3_600_000)).toBe('[>=2026-01-31T12:00:00.000Z');
    expect([rangeNow('-1s', undefined, 19_999), rangeNow(undefined, '-15m', 29_999)]).toEqual([10_000, 15_000]);
    expect(rangeNow('2026-01-31T12:00:00Z', undefined, openedMs)).toBe(rangeNow(undefined, undefined, 1));
  });

  it('keep their time range while the list is scrolled, unless other filters are chosen', () => {
    const asked = (key: string, at: string) => ({ key, parameters: [['created', at]] as const });
    expect(nextAsked(asked('a', '1'), asked('a', '2'), true)).toEqual(asked('a', '1'));
    expect(nextAsked(asked('a', '1'), asked('a', '2'), false)).toEqual(asked('a', '2'));
    expect(nextAsked(asked('a', '1'), asked('b', '2'), true)).toEqual(asked('b', '2'));
  });

  it('include both ends of a time range', () => {
    const range = { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' };
    const values = rangeOf(range, 0).map(([, value]) => value);
    const condition = readFilter('created', { type: 'time', column: 'created' }, values);
    const test = testOf(condition);
    expect(['2025-12-31', '2026-01-01', '2026-01-03'].map((day) => test({ created: `${day}T12:00:00.000Z` }))).toEqual([
      false,
      true,
      false,
    ]);
  });
});

describe('the filters of events', () => {
  const event = anEvent();

  it('are regular expressions that must all match', () => {
    expect(passes(['events=^trans', 'topics=pin$'])(event)).toBe(true);
    expect(passes(['events=^trans', 'topics=^pin'])(event)).toBe(false);
    expect(passes(['message.tag=.'])(event)).toBe(false);
    expect([judgeEventFilter('events=('), judgeEventFilter('toString=x')].every((each) => each !== undefined)).toBe(
      true,
    );
  });

  it('may begin with a flag, such as (?i)', () => {
    expect(passes(['events=(?i)^TRANSACTION_'])(event)).toBe(true);
    expect(passes(['events=^TRANSACTION_'])(event)).toBe(false);
    expect(judgeEventFilter('events=(?i)^TRANSACTION_')).toBeUndefined();
  });

  it('are expressions that nodes accept; others are refused with the reason', () => {
    const tagged = anEvent({ message: { header: { tag: `${'a'.repeat(40)}!` } } as NonNullable<Event['message']> });
    expect(passes(['message.tag=^(a+)+$'])(tagged)).toBe(false);
    expect(passes(['message.tag=^(a|aa)+!$'])(tagged)).toBe(true);
    for (const expression of ['(?=a)a', '(a)\\1', '(?<!a)b'])
      expect(judgeEventFilter(`message.tag=${expression}`)).toMatch(/not a valid regular expression/);
    expect(judgeEventFilter('message.tag=(?:a{100}){100}')).toMatch(/too large/);
    expect(judgeEventFilter(`message.tag=${'a'.repeat(1_025)}`)).toMatch(/more than 1024/);
  });

  it('read events as nodes do: either spelling of a DID and of a key, and every topic of a message', () => {
    const header = { author: 'did:firefly:org/org_1', topics: ['orders', 'bills'], txtype: 'none' };
    const sent = anEvent({ topic: 'orders', message: { header } as unknown as NonNullable<Event['message']> });
    for (const filter of ['message.author=^did:parley:org/org_1$', 'author=firefly', 'topic=^bills$', 'topics=^bills$'])
      expect(passes([filter])(sent)).toBe(true);
    expect(passes(['transaction.type=^unpinned$'])(sent)).toBe(true);
    expect(passes(['message.author=^did:parley:org/org_2$'])(sent)).toBe(false);
    expect([passes(['message.topics=^$'])(event), passes(['message.topics=.'])(event)]).toEqual([true, false]);
  });

  it('have a command with the same filters', () => {
    const bob = { url: 'http://127.0.0.1:1', namespace: 'default', party: 'bob', stack: 'dev' };
    expect(tailCommand(['message.tag=^a b$', 'events=rejected'], bob)).toBe(
      `stack events tail --tag '^a b$' --type rejected -s dev -p bob`,
    );
    expect(tailCommand([], { ...bob, namespace: 'svc_system' })).toBe(
      'stack events tail -s dev -p bob --ns svc_system',
    );
    expect(tailCommand([], { ...bob, party: undefined })).toBe('stack events tail --url http://127.0.0.1:1');
  });

  it('have no command if one of them has no flag', () => {
    const bob = { url: 'http://127.0.0.1:1', namespace: 'default', party: 'bob', stack: 'dev' };
    for (const filter of ['transaction.type=batch_pin', 'blockchainevent.name=Opened', 'topics=a'])
      expect(tailCommand(['events=rejected', filter], bob)).toBeUndefined();
  });
});
