import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { testOf } from '../../../../src/wire/lists/condition.js';
import type { ErrorName } from '../../../../src/wire/errors/error.js';
import { isServiceError } from '../../../../src/wire/errors/error.js';
import type { Field } from '../../../../src/wire/lists/field.js';
import { readFilter } from '../../../../src/wire/lists/filter.js';
import { fields } from '../../../../src/wire/lists/fields.js';

const { messages } = fields;
const uuid = '9b1f6c2e-7a34-4d0b-8a55-2f9c3e6d7a01';
const hash = 'ab'.repeat(32);

const rows = [
  { n: 1, tag: 'Order', topics: ['orders', 'bills'], id: uuid, sequence: 1, confirmed: '2026-01-15T10:00:00.123Z' },
  { n: 2, tag: 'order', topics: ['x'], id: uuid.replace('9', '8'), sequence: 20, confirmed: null },
  { n: 3, tag: null, topics: [], id: uuid.replace('9', '7'), sequence: 300, confirmed: '2026-01-16T10:00:00.000Z' },
  { n: 4, tag: '', topics: ['orders'], id: uuid.replace('9', '6'), sequence: 4, confirmed: null },
  { n: 5, tag: '!=%_', topics: ['Orders'], id: uuid.replace('9', '5'), sequence: 5, confirmed: null },
].map((row) => ({
  ...row,
  rank: row.confirmed ?? '~',
  pins: [hash],
  masked: row.n > 2,
  input: { a: row.n },
  amount: `${10 ** row.n}`,
  serial: ['7', '10', '', null, '0'][row.n - 1],
  // The name of the pool with this id.
  'id.name': `coins-${row.n}`,
}));

const own: Readonly<Record<string, Field>> = {
  ...messages,
  masked: { type: 'boolean', column: 'masked' },
  input: { type: 'json', column: 'input' },
  amount: { type: 'amount', column: 'amount' },
  pool: { type: 'pool', column: 'id' },
  either: { type: 'key', columns: ['tag', 'rank'] },
  validator: { type: 'text', constant: 'json' },
  token: { type: 'text', column: 'tag', none: '' },
  serial: { type: 'amount', column: 'serial', none: '' },
  word: { type: 'text', column: 'tag', none: 'order' },
  shown: { type: 'text', column: 'confirmed', fallback: { value: '/', beside: 'tag' } },
};

/** The rows that match a filter. */
function matches(name: string, ...values: string[]): number[] {
  const field = own[name];
  if (field === undefined) throw new Error(`There is no field ${name}`);
  return rows.filter(testOf(readFilter(name, field, values))).map(({ n }) => n);
}

function refusalOf(name: string, value: string): ErrorName | undefined {
  try {
    matches(name, value);
    return undefined;
  } catch (error) {
    if (isServiceError(error)) return error.reason;
    throw error;
  }
}

describe('a filter of a column in which a text stands for no value', () => {
  it('treats that text like null', () => {
    expect([matches('token', '?'), matches('token', '!?'), matches('token', '!@')]).toEqual([
      [3, 4],
      [1, 2, 5],
      [3, 4],
    ]);
  });

  it.each(['<z', '<=z', '>=', '^', '$', '@', ':@'])('never matches that text with an operator: %s', (value) => {
    expect(matches('token', value)).toEqual([1, 2, 5]);
  });

  it.each<[string, number[]]>([
    ['<8', [1, 5]],
    ['>=0', [1, 2, 5]],
    ['>7', [2]],
    ['07', [1]],
    ['!7', [2, 3, 4, 5]],
    ['?', [3, 4]],
    ['', [3, 4]],
    ['!', [1, 2, 5]],
  ])('compares numbers as numbers beside it: %s', (value, expected) => {
    expect(matches('serial', value)).toEqual(expected);
  });

  it('matches that text only by equality', () => {
    expect([matches('word', '>a'), matches('word', '@rd'), matches('word', 'order')]).toEqual([[], [1], [2]]);
    expect(matches('word', '!@rd')).toEqual([2, 3, 4, 5]);
  });
});

describe('a filter of a column with a fallback text', () => {
  it.each<[string, number[]]>([
    ['/', [2, 4, 5]],
    ['!/', [1, 3]],
    ['^/', [2, 4, 5]],
    ['<1', [2, 4, 5]],
    ['^2026', [1, 3]],
    ['?', []],
    ['', []],
    ['!?', [1, 2, 3, 4, 5]],
  ])('compares the fallback of a row that has no value, but one in the other column: %s', (value, expected) => {
    expect(matches('shown', value)).toEqual(expected);
  });
});

describe('a filter by pool', () => {
  it.each<[string, number[]]>([
    [uuid, [1]],
    [uuid.toUpperCase(), [1]],
    [`!${uuid}`, [2, 3, 4, 5]],
    ['coins-2', [2]],
    ['!coins-2', [1, 3, 4, 5]],
    [':COINS-2', [2]],
    ['^coins', [1, 2, 3, 4, 5]],
    ['^9B1F', [1]],
    ['none', []],
  ])('accepts a name or an id: %s', (value, expected) => {
    expect(matches('pool', value)).toEqual(expected);
  });

  it('combines names and ids', () => {
    expect(matches('pool', uuid, 'coins-3')).toEqual([1, 3]);
    expect(matches('pool', 'coins-2', 'coins-3')).toEqual([2, 3]);
  });
});

describe('a filter of two columns', () => {
  it.each<[string, number[]]>([
    ['order', [2]],
    ['~', [2, 4, 5]],
    ['!~', [1, 3]],
    ['?', [3]],
  ])('matches a value in either of them: %s', (value, expected) => {
    expect(matches('either', value)).toEqual(expected);
  });
});

describe('a filter', () => {
  it.each<[string, string, number[]]>([
    // operators
    ['tag', 'order', [2]],
    ['tag', '=order', [2]],
    ['tag', '==order', []],
    ['tag', '', [3, 4]],
    ['tag', '!', [1, 2, 5]],
    ['tag', '=', [3, 4]],
    ['confirmed', '', [2, 4, 5]],
    ['topics', '', [3]],
    ['id', '!', [1, 2, 3, 4, 5]],
    ['tag', '@rde', [1, 2]],
    ['tag', '^ord', [2]],
    ['tag', '$er', [1, 2]],
    ['tag', '<<a', [1, 4, 5]],
    ['tag', '>=Order', [1, 2]],
    ['sequence', '>4', [2, 3, 5]],
    ['sequence', '>>4', [2, 3, 5]],
    ['sequence', '>=4', [2, 3, 4, 5]],
    ['sequence', '<5', [1, 4]],
    ['sequence', '<=5', [1, 4, 5]],
    ['amount', '>9', [1, 2, 3, 4, 5]],
    ['amount', '>=0100', [2, 3, 4, 5]],
    ['amount', '1000', [3]],
    // modifiers
    ['tag', '!order', [1, 3, 4, 5]],
    ['tag', ':ORDER', [1, 2]],
    ['tag', '!:ORDER', [3, 4, 5]],
    ['tag', ':^ORD', [1, 2]],
    ['tag', '?', [3]],
    ['tag', '!?', [1, 2, 4, 5]],
    ['tag', '?order', [2]],
    ['tag', '=!=%_', [5]],
    ['tag', '@%', [5]],
    // kinds
    ['id', uuid.toUpperCase(), [1]],
    ['id', '^9B1F', [1]],
    ['id', '$7A01', [1, 2, 3, 4, 5]],
    ['pins', hash.toUpperCase(), [1, 2, 3, 4, 5]],
    ['masked', 'TRUE', [3, 4, 5]],
    ['masked', '!true', [1, 2]],
    ['input', '@"a":2', [2]],
    ['confirmed', '?', [2, 4, 5]],
    ['confirmed', '>0', [1, 3]],
    ['confirmed', '2026-01-15T10:00:00.123Z', [1]],
    ['confirmed', '2026-01-15T10:00:00.1234Z', []],
    ['confirmed', '<2026-01-15T10:00:00.1234Z', [1]],
    ['confirmed', '>=2026-01-15T10:00:00.1229Z', [1, 3]],
    ['validator', 'json', [1, 2, 3, 4, 5]],
    ['validator', '!json', []],
    ['state', 'pending', []],
    // any element
    ['topics', 'orders', [1, 4]],
    ['topic', ':orders', [1, 4, 5]],
    ['topics', '!orders', [2, 3, 5]],
    ['topics', '^bill', [1]],
    ['topics', '>p', [2]],
    ['topics', '?', [3]],
    ['topics', '!?', [1, 2, 4, 5]],
  ])('%s=%s matches the rows %j', (name, value, expected) => {
    expect(matches(name, value)).toEqual(expected);
  });

  it('matches any of its values if it is repeated, or all if one begins with [', () => {
    expect(matches('sequence', '1', '4')).toEqual([1, 4]);
    expect(matches('sequence', '>=4', '[<=20')).toEqual([2, 4, 5]);
    expect(matches('tag', '[!order', '!Order')).toEqual([3, 4, 5]);
    expect(matches('tag', ']order', 'Order')).toEqual([1, 2]);
    expect(matches('topics', 'x', 'bills')).toEqual([1, 2]);
    expect(matches('topics', '[orders', 'bills')).toEqual([1]);
  });

  it('with several equal values is one list, for which an index serves', () => {
    expect(readFilter('sequence', messages.sequence, ['1', '=2'])).toEqual({
      field: 'sequence',
      is: 'in',
      values: [1, 2],
    });
  });

  it('of a field with a ranked column also tests that, so that its index serves', () => {
    const condition = { field: 'confirmed', is: 'above', value: '1970-01-01T00:00:00.000Z' };
    expect(readFilter('confirmed', messages.confirmed, ['>0'])).toEqual({
      is: 'all',
      of: [condition, { ...condition, field: 'rank' }],
    });
  });

  it('matches all spellings of a name', () => {
    for (const word of ['none', 'unpinned']) {
      expect(readFilter('txtype', messages.txtype, [word])).toMatchObject({ values: ['none', 'unpinned'] });
    }
    const dids = ['did:parley:org/a', 'did:firefly:org/a'];
    for (const did of dids) expect(readFilter('author', messages.author, [did])).toMatchObject({ values: dids });
    expect(readFilter('author', messages.author, ['^did:firefly:org/'])).toMatchObject({
      is: 'any',
      of: [{ value: 'did:parley:org/' }, { value: 'did:firefly:org/' }],
    });
    expect(readFilter('key', messages.key, ['0xABC'])).toMatchObject({ value: '0xabc' });
    const digits = 'Ab'.repeat(20);
    expect(readFilter('key', messages.key, [digits])).toMatchObject({ value: `0x${digits.toLowerCase()}` });
  });

  it.each(['parley', 'firefly'])('orders DIDs of did:%s by the part after the method', (method) => {
    const authors = ['a', 'm', 'z'].map((name) => `did:${method}:org/${name}`);
    const through = (value: string) => {
      const test = testOf(readFilter('author', messages.author, [value]));
      return authors.filter((author) => test({ author })).map((author) => author.at(-1));
    };
    for (const given of ['parley', 'firefly']) {
      const pivot = `did:${given}:org/m`;
      const orders = ['>', '>=', '<', '<='].map((sign) => through(`${sign}${pivot}`));
      expect(orders).toEqual([['z'], ['m', 'z'], ['a'], ['a', 'm']]);
      expect(through(pivot)).toEqual(['m']);
      expect(through(`!${pivot}`)).toEqual(['a', 'z']);
      expect(through(`:${pivot.toUpperCase()}`)).toEqual(['m']);
      expect(through(`!:${pivot.toUpperCase()}`)).toEqual(['a', 'z']);
      expect(through(`:^${pivot.toUpperCase()}`)).toEqual(['m']);
      expect(refusalOf('author', `!>${pivot}`)).toBe('modifier_refused');
    }
    expect(through('>did:x')).toEqual([]);
    expect(through('<did:x')).toEqual(['a', 'm', 'z']);
  });

  it('orders transaction types as they are stored, and matches none and unpinned alike', () => {
    const through = (value: string) => {
      const test = testOf(readFilter('txtype', messages.txtype, [value]));
      return ['batch_pin', 'none', 'token_transfer', 'unpinned'].filter((txtype) => test({ txtype }));
    };
    expect(through('>none')).toEqual(['token_transfer', 'unpinned']);
    expect(through('<=none')).toEqual(['batch_pin', 'none']);
    expect(through('>unpinned')).toEqual([]);
    expect(through(':NONE')).toEqual(['none', 'unpinned']);
    expect(through('!:Unpinned')).toEqual(['batch_pin', 'token_transfer']);
  });

  it('of a flag is true unless its value is false', () => {
    expect(readFilter('pending', messages.pending, [''])).toEqual(messages.pending.yes);
    expect(readFilter('pending', messages.pending, ['true'])).toEqual(messages.pending.yes);
    expect(readFilter('pending', messages.pending, ['false'])).toEqual(messages.pending.no);
  });

  it.each<[string, string, ErrorName]>([
    ['id', 'x', 'bad_parameter'],
    ['id', '>x', 'bad_parameter'],
    ['hash', 'abc', 'bad_parameter'],
    ['sequence', 'abc', 'bad_parameter'],
    ['sequence', '1.5', 'bad_parameter'],
    ['sequence', '', 'bad_parameter'],
    ['sequence', '9'.repeat(17), 'bad_parameter'],
    ['amount', '-1', 'bad_parameter'],
    ['masked', 'yes', 'bad_parameter'],
    ['masked', '>true', 'bad_parameter'],
    ['confirmed', 'yesterday', 'bad_parameter'],
    ['sequence', '@1', 'partial_match'],
    ['sequence', '^1', 'partial_match'],
    ['masked', '$e', 'partial_match'],
    ['confirmed', '@2026', 'partial_match'],
    ['sequence', ':1', 'partial_match'],
    ['sequence', '!>1', 'modifier_refused'],
    ['tag', ':<a', 'modifier_refused'],
    ['confirmed', '?>', 'modifier_refused'],
  ])('%s=%s is refused as %s', (name, value, reason) => {
    expect(refusalOf(name, value)).toBe(reason);
  });

  it('matches text literally, and with ! exactly the other rows', () => {
    const text = fc.string({ maxLength: 6, unit: fc.constantFrom('a', 'B', '!', '[', '%', '_', '=', 'é', '😀', '') });
    const sign = fc.constantFrom('=', '@', '^', '$');
    const modifier = fc.constantFrom('', ':', ']', '?', ':?');
    const tags = fc.array(fc.option(text, { nil: null }), { maxLength: 8 });
    fc.assert(
      fc.property(tags, sign, modifier, text, (all, operator, modifiers, match) => {
        const through = (value: string) => all.map((tag) => testOf(readFilter('tag', messages.tag, [value]))({ tag }));
        const plain = through(`${modifiers}${operator}${match}`);
        expect(through(`!${modifiers}${operator}${match}`)).toEqual(plain.map((each) => !each));
        expect(plain).toEqual(all.map((tag) => naive(tag, operator, modifiers, match)));
      }),
    );
  });
});

/** The rule of docs/api.md §8.1, in the simplest way. */
function naive(tag: string | null, operator: string, modifiers: string, match: string): boolean {
  if (modifiers.includes('?') && match === '') return tag === null;
  if (operator === '=' && match === '') return tag === null || tag === '';
  if (tag === null) return false;
  const fold = (text: string) =>
    modifiers.includes(':') ? text.replace(/[A-Z]/g, (letter) => letter.toLowerCase()) : text;
  const [has, wanted] = [fold(tag), fold(match)];
  if (operator === '@') return has.indexOf(wanted) >= 0;
  if (operator === '^') return has.slice(0, wanted.length) === wanted;
  if (operator === '$') return wanted === '' || has.slice(-wanted.length) === wanted;
  return has === wanted;
}
