import { describe, expect, it } from 'vitest';
import type { ErrorName } from '../../../../src/wire/errors/error.js';
import { isServiceError } from '../../../../src/wire/errors/error.js';
import { fields } from '../../../../src/wire/lists/fields.js';
import { readListQuery } from '../../../../src/wire/lists/list.js';
import { pageParameters, readRepeated } from '../../../../src/wire/lists/query.js';

const order = [
  { field: 'rank', descending: true },
  { field: 'sequence', descending: true },
];
const known = [...pageParameters, ...Object.keys(fields.messages)];

function read(search: string) {
  const { parameters } = readRepeated(new URLSearchParams(search), known, { isStrict: true });
  return readListQuery(parameters, fields.messages, order);
}

it('sorts amounts as numbers', () => {
  const sorted = readListQuery(new Map([['sort', ['-balance,key']]]), fields.balances, order);
  const balance = { field: 'balance', descending: true, asNumber: true };
  expect(sorted.sort).toEqual([balance, { field: 'key', descending: false }]);
});

function refusalOf(search: string): ErrorName | undefined {
  try {
    read(search);
    return undefined;
  } catch (error) {
    if (isServiceError(error)) return error.reason;
    throw error;
  }
}

describe('the query of a list', () => {
  it('selects the newest 25 records by default', () => {
    expect(read('')).toEqual({ limit: 25, skip: 0, isCounted: false, where: [], sort: order });
  });

  it('has a condition for each field', () => {
    expect(read('tag=a&author[]=b&AUTHOR=c').where).toEqual([
      { field: 'author', is: 'in', values: ['b', 'c'] },
      { field: 'tag', is: 'equal', value: 'a' },
    ]);
  });

  it.each([
    ['sort=created', [['created', false]]],
    [
      'sort=-created,tag',
      [
        ['created', true],
        ['tag', false],
      ],
    ],
    [
      'sort=-created&sort=Tag',
      [
        ['created', true],
        ['tag', false],
      ],
    ],
    [
      'sort=created,-tag&descending',
      [
        ['created', true],
        ['tag', true],
      ],
    ],
    [
      'sort=created,-tag&ascending',
      [
        ['created', false],
        ['tag', true],
      ],
    ],
    ['sort=idempotencykey', [['idempotencyKey', false]]],
    [
      'sort=',
      [
        ['rank', true],
        ['sequence', true],
      ],
    ],
    [
      'ascending',
      [
        ['rank', false],
        ['sequence', false],
      ],
    ],
    [
      'descending',
      [
        ['rank', true],
        ['sequence', true],
      ],
    ],
  ])('with %s sorts by %j', (search, expected) => {
    expect(read(search).sort.map(({ field, descending = false }) => [field, descending])).toEqual(expected);
  });

  it.each<[string, ErrorName]>([
    ['sort=crated', 'unknown_parameter'],
    ['sort=topics', 'unknown_parameter'],
    ['sort=pending', 'unknown_parameter'],
    ['sort=constructor', 'unknown_parameter'],
    ['sort=rank', 'unknown_parameter'],
    ['ascending&descending', 'bad_parameter'],
    ['colour=red', 'unknown_parameter'],
    ['constructor=red', 'unknown_parameter'],
    ['limit=abc', 'bad_parameter'],
    ['limit=1001', 'limit_too_large'],
    ['skip=100001', 'skip_too_large'],
    [Array.from({ length: 251 }, () => 'tag=a').join('&'), 'too_many'],
    [`sort=${Array.from({ length: 17 }, () => 'tag').join(',')}`, 'too_many'],
  ])('with %.40s is refused as %s', (search, reason) => {
    expect(refusalOf(search)).toBe(reason);
  });

  it('is refused for an unknown sort field with the nearest field', () => {
    expect(() => read('sort=crated')).toThrow(/"created"/);
  });
});
