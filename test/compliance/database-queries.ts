import { expect, it } from 'vitest';
import type { Database } from '../../src/ports/database.js';
import type { Condition, Sort } from '../../src/wire/query.js';
import { aDataItem, aMessage, anOperation, aPin, equal, isIn, pluck, query } from './database-rows.js';

/** Reads: conditions, orders, pages. */
export function describeQueries(database: () => Database): void {
  const insertTags = (tags: readonly (string | null)[]) =>
    database().transaction((unit) =>
      unit.insert(
        'messages',
        tags.map((tag, i) => aMessage({ id: `${i}`, tag })),
      ),
    );
  const tagsWhere = async (...where: Condition[]) => pluck(await database().find('messages', query(where)), 'tag');

  it('conditions on text compare exactly, and a null meets none of them', async () => {
    await insertTags(['a', 'A', 'b', '', null, 'a ']);
    const at = (is: 'equal' | 'above' | 'atLeast' | 'below' | 'atMost', value: string) =>
      tagsWhere({ field: 'tag', is, value });
    expect(await at('equal', 'a')).toEqual(['a']);
    expect(await at('above', 'a')).toEqual(['b', 'a ']);
    expect(await at('atLeast', 'a')).toEqual(['a', 'b', 'a ']);
    expect(await at('below', 'a')).toEqual(['A', '']);
    expect(await at('atMost', 'a')).toEqual(['a', 'A', '']);
    expect(await tagsWhere(isIn('tag', ['A', 'b', 'x', 'A']))).toEqual(['A', 'b']);
    expect(await tagsWhere(isIn('tag', []))).toEqual([]);
    expect(await tagsWhere({ field: 'tag', is: 'null' })).toEqual([null]);
    expect(await tagsWhere({ field: 'tag', is: 'notNull' }, equal('id', '3'))).toEqual(['']);
  });

  it('text is ordered by code points', async () => {
    await insertTags(['\u{1f600}', '\uffee', 'z', '\u00e9', 'zz']);
    const rows = await database().find('messages', query([], { sort: [{ field: 'tag' }] }));
    expect(pluck(rows, 'tag')).toEqual(['z', 'zz', '\u00e9', '\uffee', '\u{1f600}']);
    expect(await tagsWhere({ field: 'tag', is: 'above', value: '\uffee' })).toEqual(['\u{1f600}']);
  });

  it('conditions on numbers and booleans', async () => {
    const blocks = [3, 20, 100, 2 ** 33];
    await database().transaction((unit) =>
      unit.insert(
        'pins',
        blocks.map((block, index) => aPin({ block, index, spent: index > 1 })),
      ),
    );
    const blocksWhere = async (...where: Condition[]) => pluck(await database().find('pins', query(where)), 'block');
    expect(await blocksWhere({ field: 'block', is: 'above', value: 20 })).toEqual([100, 2 ** 33]);
    expect(await blocksWhere({ field: 'block', is: 'atMost', value: 20 }, equal('spent', false))).toEqual([3, 20]);
    expect(await blocksWhere(equal('block', 2 ** 33), equal('spent', true))).toEqual([2 ** 33]);
    expect(await blocksWhere(isIn('block', [20, 2 ** 33, 5]))).toEqual([20, 2 ** 33]);
    expect(await blocksWhere(isIn('spent', [true, false]))).toEqual(blocks);
    expect(await blocksWhere(isIn('sequence', [1, 4, 9]))).toEqual([3, 2 ** 33]);
    expect(
      await blocksWhere({ field: 'sequence', is: 'atLeast', value: 2 }, { field: 'sequence', is: 'below', value: 4 }),
    ).toEqual([20, 100]);
  });

  it('conditions on words and on whether a structure is there', async () => {
    const statuses = ['Initialized', 'Pending', 'Succeeded', 'Failed'] as const;
    await database().transaction((unit) =>
      unit.insert(
        'operations',
        statuses.map((status, i) => anOperation({ id: `${i}`, status, output: i > 1 ? {} : null })),
      ),
    );
    const where = async (...conditions: Condition[]) =>
      pluck(await database().find('operations', query(conditions)), 'status');
    expect(await where(isIn('status', ['Pending', 'Initialized']))).toEqual(['Initialized', 'Pending']);
    expect(await where(equal('status', 'Failed'))).toEqual(['Failed']);
    expect(await where(equal('status', `Failed' or 1=1 --`))).toEqual([]);
    expect(await where(isIn('status', [`Failed'`, 'Failed']))).toEqual(['Failed']);
    expect(await where({ field: 'output', is: 'null' }, { field: 'lane', is: 'notNull' })).toEqual([
      'Initialized',
      'Pending',
    ]);
  });

  it.each<[string, readonly Sort[], readonly (string | null)[]]>([
    ['rising, nulls last', [{ field: 'tag' }], ['a', 'b', null, null]],
    ['rising, nulls first', [{ field: 'tag', nullsFirst: true }], [null, null, 'a', 'b']],
    ['falling, nulls last', [{ field: 'tag', descending: true }], ['b', 'a', null, null]],
    ['falling, nulls first', [{ field: 'tag', descending: true, nullsFirst: true }], [null, null, 'b', 'a']],
  ])('an order %s', async (_, sort, expected) => {
    await insertTags(['b', null, 'a', null]);
    expect(pluck(await database().find('messages', query([], { sort })), 'tag')).toEqual(expected);
  });

  it('an order by several fields ends with the sequence, in the direction of the last', async () => {
    await database().transaction((unit) =>
      unit.insert(
        'pins',
        [2, 1, 2, 1].map((block, index) => aPin({ block, index, context: `${index % 2}` })),
      ),
    );
    const sequences = async (sort: readonly Sort[]) =>
      pluck(await database().find('pins', query([], { sort })), 'sequence');
    expect(await sequences([{ field: 'context' }, { field: 'sequence', descending: true }])).toEqual([3, 1, 4, 2]);
    expect(await sequences([{ field: 'block' }])).toEqual([2, 4, 1, 3]);
    expect(await sequences([{ field: 'block', descending: true }])).toEqual([3, 1, 4, 2]);
    expect(await sequences([])).toEqual([1, 2, 3, 4]);
  });

  it('skip and limit cut pages that neither overlap nor leave gaps', async () => {
    await insertTags(Array.from({ length: 10 }, () => null));
    const page = async (skip: number, limit: number, descending: boolean) =>
      pluck(
        await database().find('messages', query([], { skip, limit, sort: [{ field: 'sequence', descending }] })),
        'id',
      );
    expect(await page(0, 4, false)).toEqual(['0', '1', '2', '3']);
    expect(await page(8, 4, false)).toEqual(['8', '9']);
    expect(await page(4, 3, true)).toEqual(['5', '4', '3']);
    expect(await page(0, 0, true)).toEqual([]);
    expect(await page(11, 5, true)).toEqual([]);
  });

  it('lists in conditions and rows in one call may be many', async () => {
    const many = 40_000;
    const ids = Array.from({ length: many }, (_, i) => `${i}`);
    await database().transaction(async (unit) => {
      await unit.insert(
        'data',
        ids.map((id) => aDataItem({ id })),
      );
      expect(await unit.count('data', query([isIn('id', ids)]))).toBe(many);
      const sequences = ids.slice(0, 35_000).map(Number);
      expect(await unit.update('data', query([isIn('sequence', sequences)]), { validator: 'seen' })).toBe(34_999);
      expect(await unit.remove('data', query([isIn('id', ids.slice(1))]))).toBe(many - 1);
    });
    expect(await database().find('data', query())).toMatchObject([{ id: '0', validator: 'seen', sequence: 1 }]);
  });

  it.each<[string, Condition]>([
    ['a column that the table does not have', equal('color', 'red')],
    ['a column that all objects have', equal('constructor', 'red')],
    ['a value of another kind', equal('tag', 3)],
    ['the value of a structure', equal('topics', '["default"]')],
  ])('a condition on %s is refused', async (_, condition) => {
    const { where } = query([condition]);
    await expect(database().find('messages', query(where))).rejects.toThrow();
    await expect(database().count('messages', query(where))).rejects.toThrow();
    await expect(database().transaction((unit) => unit.remove('messages', query(where)))).rejects.toThrow();
  });

  it.each(['color', 'topics', '"sequence" --'])('an order by %s is refused', async (field) => {
    await expect(database().find('messages', query([], { sort: [{ field }] }))).rejects.toThrow();
  });
}
