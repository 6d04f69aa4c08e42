import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../../../src/wire/errors/error.js';
import { lastOf, nearestHint, readFlag, readPage, readRepeated } from '../../../../src/wire/lists/query.js';

const known = ['limit', 'skip', 'count', 'pending', 'filter.message.tag'];

function reasonOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof ServiceError) return error.reason;
    throw error;
  }
  return 'accepted';
}

const isStrict = true;
const readParameters = (search: URLSearchParams, names: readonly string[]) =>
  lastOf(readRepeated(search, names, { isStrict }).parameters);

describe('query parameters', () => {
  it('are found in any case and with a trailing []', () => {
    const parameters = readParameters(new URLSearchParams('PENDING=true&Filter.Message.Tag[]=x'), known);
    expect([...parameters]).toEqual([
      ['pending', 'true'],
      ['filter.message.tag', 'x'],
    ]);
  });

  it('keep all their values in order', () => {
    const { parameters } = readRepeated(new URLSearchParams('pending=1&limit=5&PENDING[]=2'), known, { isStrict });
    expect(parameters.get('pending')).toEqual(['1', '2']);
  });

  it('have their last value when they are repeated', () => {
    expect(readParameters(new URLSearchParams('limit=1&limit=2'), known).get('limit')).toBe('2');
  });

  it('are listed as ignored, as they were sent, if they are unknown and the caller is not strict', () => {
    const search = new URLSearchParams('Pendign=1&limit=5&zz[]=2');
    const { parameters, ignored } = readRepeated(search, known, { isStrict: false });
    expect([...parameters]).toEqual([['limit', ['5']]]);
    expect(ignored).toEqual(['Pendign', 'zz[]']);
  });

  it('count as absent if they are blank and a blank has no meaning for them', () => {
    const search = new URLSearchParams('created=&limit=&skip=&pending=');
    const { parameters, ignored } = readRepeated(search, [...known, 'created'], { isStrict });
    expect([...parameters]).toEqual([['pending', ['']]]);
    expect(ignored).toEqual([]);
  });

  it('may have a stray $ after skip unless the caller is strict', () => {
    const skip = (each: boolean) =>
      readRepeated(new URLSearchParams('skip=50$'), known, { isStrict: each }).parameters.get('skip');
    expect([skip(false), skip(true)]).toEqual([['50'], ['50$']]);
  });

  it('are refused with the nearest known name if they are unknown and the caller is strict', () => {
    try {
      readParameters(new URLSearchParams('pendign=1'), known);
      expect.unreachable();
    } catch (error) {
      expect(error).toMatchObject({ reason: 'unknown_parameter', text: expect.stringContaining('"pending"') });
    }
  });

  it('are true as flags, unless the value is false', () => {
    expect([undefined, '', 'true', '0', 'false'].map(readFlag)).toEqual([undefined, true, true, true, false]);
  });
});

describe('a page', () => {
  const page = (search: string) => readPage(readParameters(new URLSearchParams(search), known));

  it('has 25 records from the first by default', () => {
    expect(page('')).toEqual({ limit: 25, skip: 0, isCounted: false });
    expect(page('limit=0&skip=7&count')).toEqual({ limit: 0, skip: 7, isCounted: true });
  });

  it('has at most 1,000 records and skips at most 100,000', () => {
    expect(page('limit=1000&skip=100000')).toMatchObject({ limit: 1_000, skip: 100_000 });
    expect(reasonOf(() => page('limit=1001'))).toBe('limit_too_large');
    expect(reasonOf(() => page('skip=100001'))).toBe('skip_too_large');
  });

  it.each(['abc', '-1', '1.5', '1e2', ' 1', '99999999999999999999'])('refuses %j as a number', (text) => {
    expect(reasonOf(() => page(`limit=${encodeURIComponent(text)}`))).toBe('bad_parameter');
  });
});

describe('the nearest known word', () => {
  it('is named when it is near', () => {
    expect(nearestHint('lmit', known)).toContain('"limit"');
  });

  it.each([
    ['bbo', '"bob"'],
    ['alcie', '"alice"'],
    ['carrol', '"carol"'],
    ['ALICE', '"alice"'],
    ['zoe', 'known:'],
    ['bash', 'known:'],
  ])(
    'for %j is %s: swapped letters count as one error, capitals as none, and a short word may have only one',
    (word, hint) => {
      expect(nearestHint(word, ['alice', 'bob', 'carol', 'fish'])).toContain(hint);
    },
  );

  it('is replaced by a list of all if none is near', () => {
    expect(nearestHint('zzzzzz', ['limit', 'skip'])).toBe('; known: limit, skip.');
  });

  it('is not looked for with words of more than 64 characters', () => {
    const long = 'limit'.repeat(300_000);
    expect(nearestHint(long, ['limit'])).toBe('; known: limit.');
    expect(nearestHint('limi', [long, 'skip'])).not.toContain('did you mean');
    expect(nearestHint(`${'x'.repeat(63)}y`, ['x'.repeat(64)])).toContain('did you mean');
  });

  it('is looked for among a limited number of known words', () => {
    const many = Array.from({ length: 100_000 }, (_, index) => `${'w'.repeat(50)}${index}`);
    expect(nearestHint('w'.repeat(60), many).length).toBeLessThan(40_000);
  });

  it('is a full stop if no word is known', () => {
    expect(nearestHint('x', [])).toBe('.');
  });
});
