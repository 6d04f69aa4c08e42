import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  changedPlace,
  formatPlace,
  momentOf,
  pagePlace,
  parsePlace,
  type Place,
  withSameLists,
} from '../../../ui/src/url/place.js';

const known = { namespaces: ['default', 'other'], pages: ['overview', 'messages'] };

function read(url: string, nowMs = Date.parse('2026-03-01T12:00:00Z')) {
  const [path = '', search = ''] = url.split('?');
  return parsePlace(path, search === '' ? '' : `?${search}`, known, nowMs);
}

describe('a place', () => {
  it('is the first page of the first namespace by default', () => {
    for (const url of ['/ui', '/ui/', '/ui/default', '/ui/default/overview'])
      expect(read(url)).toMatchObject({ place: { ns: 'default', page: 'overview', id: undefined }, notices: [] });
  });

  it('is read unchanged from its URL', () => {
    const text = fc.string({ unit: 'binary', minLength: 1 });
    const some = fc.option(text, { nil: undefined });
    const place: fc.Arbitrary<Place> = fc.record({
      ns: fc.constantFrom(...known.namespaces),
      page: fc.constantFrom(...known.pages),
      id: some,
      filters: fc.array(text, { maxLength: 5 }),
      from: fc.constantFrom(undefined, '-1h', '2026-01-30T12:00:00.000Z'),
      to: fc.constantFrom(undefined, '-5m', '9999-01-31T12:00:00Z'),
      sort: some,
      columns: fc.constantFrom(undefined, ['id', 'tag']),
      open: some,
      tab: some,
      query: some,
    });
    fc.assert(
      fc.property(place, (each) => {
        expect(read(formatPlace(each))).toEqual({ place: each, notices: [] });
      }),
    );
  });

  it('ignores unknown parts with a notice', () => {
    const { place, notices } = read('/ui/nope/nowhere?from=yesterday&to=2026-01-31T12:00:00Z');
    expect(place).toMatchObject({ ns: 'default', page: 'overview', from: undefined, to: '2026-01-31T12:00:00Z' });
    expect(notices).toHaveLength(3);
  });

  it.each([
    'from=2026-02-01T00:00:00Z&to=2026-01-31T00:00:00.000Z',
    'from=2026-02-01T00:00Z&to=2026-02-01T00:00:00Z',
    'from=-5m&to=-1h',
    'from=-1h&to=2026-01-31T00:00:00Z',
  ])('ignores a range that ends before it begins, with a notice: %s', (range) => {
    const { place, notices } = read(`/ui/default/messages?${range}`);
    expect(place).toMatchObject({ from: undefined, to: undefined });
    expect(notices).toEqual([expect.stringContaining('ends before it begins')]);
  });

  it('compares a relative end of a range with a fixed one by the given time', () => {
    const url = '/ui/default/messages?from=-1h&to=2026-01-31T12:00:00Z';
    const count = (now: string) => read(url, Date.parse(now)).notices.length;
    expect([count('2026-01-31T12:59:59Z'), count('2026-01-31T13:00:00Z')]).toEqual([0, 1]);
  });

  it('ignores an impossible time with a notice', () => {
    const { place, notices } = read('/ui/default/messages?from=2026-13-01T00:00Z');
    expect([place.from, notices.length]).toEqual([undefined, 1]);
  });

  it('has at most 20 filters, and a notice beyond', () => {
    const filters = Array.from({ length: 21 }, (_, index) => `f=tag=${index}`).join('&');
    const { place, notices } = read(`/ui/default/messages?${filters}`);
    expect([place.filters.length, notices.length]).toEqual([20, 1]);
  });

  it('keeps a path that is not validly encoded as it is', () => {
    expect(read('/ui/default/messages/%E0%A4%A').place.id).toBe('%E0%A4%A');
  });

  it('keeps only the time range when the page changes', () => {
    const { place } = read('/ui/default/messages/1?f=tag=a&from=-1h&open=2&tab=raw&q=x&sort=-tag&cols=a');
    expect(formatPlace(pagePlace(place, 'overview'))).toBe('/ui/default/overview?from=-1h');
  });
});

describe('a change of a place', () => {
  const { place } = read('/ui/default/messages?f=tag=a&from=-1h&sort=-tag&cols=a,b&open=1&tab=raw');

  it('drops the filters, order and columns of a list on the way to another list', () => {
    const other = changedPlace(place, { page: 'overview', id: undefined, open: '2' });
    expect(formatPlace(other)).toBe('/ui/default/overview?from=-1h&open=2');
    const part = changedPlace(place, { page: 'messages', id: 'transfers', open: '2' });
    expect(formatPlace(part)).toBe('/ui/default/messages/transfers?from=-1h&open=2');
  });

  it('keeps them within a list, and for one of its records', () => {
    expect(changedPlace(place, { page: 'messages', id: undefined, open: '2' })).toEqual({ ...place, open: '2' });
    expect(changedPlace(place, { id: '1', open: undefined })).toEqual({ ...place, id: '1', open: undefined });
  });

  it('reuses the arrays of filters and columns that have not changed', () => {
    const again = read(formatPlace({ ...place, open: '2' })).place;
    expect(again.filters).not.toBe(place.filters);
    const steady = withSameLists(again, place);
    expect(steady).toEqual({ ...place, open: '2' });
    expect([steady.filters === place.filters, steady.columns === place.columns]).toEqual([true, true]);
    const other = read('/ui/default/messages?f=tag=b&cols=a').place;
    expect(withSameLists(other, place)).toEqual(other);
  });
});

describe('a time of the URL', () => {
  it('is relative to now, or fixed', () => {
    const nowMs = Date.parse('2026-01-31T12:00:00.000Z');
    expect(momentOf('-90s', nowMs)).toBe('2026-01-31T11:58:30.000Z');
    expect(momentOf('-2d', nowMs)).toBe('2026-01-29T12:00:00.000Z');
    expect(momentOf('2026-01-01T00:00:00Z', nowMs)).toBe('2026-01-01T00:00:00.000Z');
  });
});
