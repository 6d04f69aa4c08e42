import { expect, it } from 'vitest';
import type { Database } from '../../../src/ports/database.js';
import { every } from '../../../src/ports/tables/where.js';
import type { Condition, Sort } from '../../../src/wire/lists/query.js';
import { aDataItem, aMessage, aPin, all, anOperation, equal, isIn, pluck, query } from './rows.js';

/** Tests conditions, orders and pages of reads. */
export function describeQueries(database: () => Database): void {
  const insertTags = (tags: readonly (string | null)[]) =>
    database().transaction((unit) =>
      unit.insert(
        'messages',
        tags.map((tag, i) => aMessage({ id: `${i}`, tag })),
      ),
    );
  const tagsWhere = async (...where: Condition[]) =>
    pluck(await database().lists.find('messages', query(where)), 'tag');

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

  it('the values of one column, oldest first, of committed rows and of those of the unit', async () => {
    await insertTags(['a', null, 'b', 'c']);
    const where = { namespace: every, type: 'broadcast' } as const;
    expect(await database().values('messages', 'tag', where, { limit: 3 })).toEqual(['a', null, 'b']);
    const seen = await database().transaction(async (unit) => {
      await unit.insert('messages', [aMessage({ id: '9', tag: 'd', pins: ['x', '\u0000'], hasBlobs: true })]);
      const read = (column: 'hash' | 'created' | 'pins' | 'hasBlobs') =>
        unit.values('messages', column, { ...where, tag: ['c', 'd'] }, all);
      return [await read('hash'), await read('created'), await read('pins'), await read('hasBlobs')];
    });
    const { hash, created, pins } = aMessage();
    expect(seen).toEqual([
      [hash, hash],
      [created, created],
      [pins, ['x', '\u0000']],
      [false, true],
    ]);
    const numbers = await database().values('messages', 'sizeBytes', { ...where, tag: ['b', 'd'] }, all);
    expect(numbers).toEqual([aMessage().sizeBytes, aMessage().sizeBytes]);
    expect(await database().values('candidates', 'members', {}, all)).toEqual([]);
  });

  it('text is ordered by code points', async () => {
    await insertTags(['\u{1f600}', '\uffee', 'z', '\u00e9', 'zz']);
    const rows = await database().rows('messages', { namespace: every }, { limit: 100_000, by: 'tag' });
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
    const blocksWhere = async (...where: Condition[]) =>
      pluck(await database().lists.find('pins', query(where)), 'block');
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

  it('a list of one word next to an alternative with the same word', async () => {
    await database().transaction((unit) => unit.insert('messages', [aMessage({ id: '1' }), aMessage({ id: '2' })]));
    const where: Condition[] = [
      { is: 'any', of: [isIn('sequence', [1, 9]), equal('state', 'ready')] },
      isIn('state', ['ready', 'ready']),
    ];
    expect(await database().lists.count('messages', { namespace: 'default', where })).toBe(2);
    const ready = { namespace: 'default', state: ['ready', 'ready'] } as const;
    expect(await database().transaction((unit) => unit.update('messages', ready, { tag: 'a' }))).toBe(2);
    expect(await database().transaction((unit) => unit.remove('messages', ready))).toBe(2);
  });

  it('conditions on words and on the presence of a structure', async () => {
    const statuses = ['Initialized', 'Pending', 'Succeeded', 'Failed'] as const;
    await database().transaction((unit) =>
      unit.insert(
        'operations',
        statuses.map((status, i) => anOperation({ id: `${i}`, status, output: i > 1 ? {} : null })),
      ),
    );
    const where = async (...conditions: Condition[]) =>
      pluck(await database().lists.find('operations', query(conditions)), 'status');
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
    expect(pluck(await database().lists.find('messages', query([], { sort })), 'tag')).toEqual(expected);
  });

  it('an order by several fields ends with the sequence, in the direction of the last field', async () => {
    await database().transaction((unit) =>
      unit.insert(
        'pins',
        [2, 1, 2, 1].map((block, index) => aPin({ block, index, context: `${index % 2}` })),
      ),
    );
    const sequences = async (sort: readonly Sort[]) =>
      pluck(await database().lists.find('pins', query([], { sort })), 'sequence');
    expect(await sequences([{ field: 'context' }, { field: 'sequence', descending: true }])).toEqual([3, 1, 4, 2]);
    expect(await sequences([{ field: 'block' }])).toEqual([2, 4, 1, 3]);
    expect(await sequences([{ field: 'block', descending: true }])).toEqual([3, 1, 4, 2]);
    expect(await sequences([])).toEqual([1, 2, 3, 4]);
  });

  it('skip and limit cut pages that neither overlap nor leave gaps', async () => {
    await insertTags(Array.from({ length: 10 }, () => null));
    const page = async (skip: number, limit: number, descending: boolean) =>
      pluck(
        await database().lists.find('messages', query([], { skip, limit, sort: [{ field: 'sequence', descending }] })),
        'id',
      );
    expect(await page(0, 4, false)).toEqual(['0', '1', '2', '3']);
    expect(await page(8, 4, false)).toEqual(['8', '9']);
    expect(await page(4, 3, true)).toEqual(['5', '4', '3']);
    expect(await page(0, 0, true)).toEqual([]);
    expect(await page(11, 5, true)).toEqual([]);
  });

  it('lists in conditions and rows in one call may be long', async () => {
    const many = 40_000;
    const ids = Array.from({ length: many }, (_, i) => `${i}`);
    await database().transaction(async (unit) => {
      await unit.insert(
        'data',
        ids.map((id) => aDataItem({ id })),
      );
      expect(await unit.count('data', { namespace: every, id: ids })).toBe(many);
      const sequences = ids.slice(0, 35_000).map(Number);
      expect(await unit.update('data', { sequence: sequences }, { validator: 'seen' })).toBe(34_999);
      expect(await unit.remove('data', { namespace: every, id: ids.slice(1) })).toBe(many - 1);
    });
    expect(await database().rows('data', { namespace: every }, all)).toMatchObject([
      { id: '0', validator: 'seen', sequence: 1 },
    ]);
  });

  it('conditions on parts of text take every character literally', async () => {
    await insertTags(['50%', '50x', 'a_b', 'aXb', 'ÄB', '', null, "it's"]);
    const at = (is: 'contains' | 'startsWith' | 'endsWith', value: string) => tagsWhere({ field: 'tag', is, value });
    expect(await at('contains', '%')).toEqual(['50%']);
    expect(await at('contains', '_')).toEqual(['a_b']);
    expect(await at('contains', "'")).toEqual(["it's"]);
    expect(await at('startsWith', '50')).toEqual(['50%', '50x']);
    expect(await at('startsWith', 'Ä')).toEqual(['ÄB']);
    expect(await at('endsWith', 'b')).toEqual(['a_b', 'aXb']);
    expect(await at('endsWith', 'ÄB')).toEqual(['ÄB']);
    for (const is of ['contains', 'startsWith', 'endsWith'] as const) expect(await at(is, '')).toHaveLength(7);
  });

  it('conditions on text can ignore the case of ASCII letters only', async () => {
    await insertTags(['Order', 'ORDERS', 'ä', 'Ä', null]);
    const at = (is: 'contains' | 'startsWith' | 'endsWith' | 'alike', value: string) =>
      tagsWhere({ field: 'tag', is, value, ignoresCase: true });
    expect(await at('alike', 'oRDER')).toEqual(['Order']);
    expect(await at('startsWith', 'order')).toEqual(['Order', 'ORDERS']);
    expect(await at('endsWith', 'RS')).toEqual(['ORDERS']);
    expect(await at('contains', 'rdEr')).toEqual(['Order', 'ORDERS']);
    expect(await at('alike', 'ä')).toEqual(['ä']);
  });

  it('negated conditions include rows without a value', async () => {
    await insertTags(['a', 'b', null]);
    const not = (of: Condition) => tagsWhere({ is: 'not', of });
    expect(await not(equal('tag', 'a'))).toEqual(['b', null]);
    expect(await not({ field: 'tag', is: 'above', value: 'a' })).toEqual(['a', null]);
    expect(await not({ is: 'not', of: equal('tag', 'a') })).toEqual(['a']);
    expect(await not({ field: 'tag', is: 'null' })).toEqual(['a', 'b']);
  });

  it('conditions combine as any of them, or all of them', async () => {
    await insertTags(['a', 'b', 'c', null]);
    const [a, b] = [equal('tag', 'a'), equal('tag', 'b')];
    expect(await tagsWhere({ is: 'any', of: [a, b] })).toEqual(['a', 'b']);
    expect(await tagsWhere({ is: 'all', of: [a, b] })).toEqual([]);
    expect(await tagsWhere({ is: 'any', of: [] })).toEqual([]);
    expect(await tagsWhere({ is: 'all', of: [] })).toHaveLength(4);
    const nested: Condition = {
      is: 'any',
      of: [
        a,
        {
          is: 'all',
          of: [
            { is: 'not', of: a },
            { is: 'not', of: b },
          ],
        },
      ],
    };
    expect(await tagsWhere(nested, { is: 'not', of: equal('id', '3') })).toEqual(['a', 'c']);
  });

  it('conditions on the part of a text after its first space, and on a text without one', async () => {
    await insertTags(['orders Key', 'orders a orders', 'key', 'orders ', ' orders', 'a\u0000b c\u0000d', '', null]);
    const behind = (of: Condition): Condition => ({ field: 'tag', is: 'behindSpace', of });
    const has = (is: 'contains' | 'endsWith', value: string, ignoresCase = false) =>
      behind({ field: 'value', is, value, ignoresCase });
    expect(await tagsWhere(has('contains', 'orders'))).toEqual(['orders a orders', ' orders']);
    expect(await tagsWhere(has('contains', 'key'))).toEqual(['key']);
    expect(await tagsWhere(has('contains', 'kEY', true))).toEqual(['orders Key', 'key']);
    expect(await tagsWhere(has('endsWith', 's a orders'))).toEqual([]);
    expect(await tagsWhere(has('endsWith', 'a orders'))).toEqual(['orders a orders']);
    expect(await tagsWhere(behind(equal('value', '')))).toEqual(['orders ', '']);
    expect(await tagsWhere(behind(isIn('value', ['Key', 'orders'])))).toEqual(['orders Key', ' orders']);
    expect(await tagsWhere(behind(equal('value', 'c\u0000d')))).toEqual(['a\u0000b c\u0000d']);
    const others = ['orders Key', 'key', 'orders ', 'a\u0000b c\u0000d', '', null];
    expect(await tagsWhere({ is: 'not', of: has('contains', 'r') })).toEqual(others);
  });

  it('texts of whole numbers can be compared as numbers of any size', async () => {
    const amounts = ['9', '10', '123456789012345678901234567890', '0', '-9', '-10', '-12', null];
    await insertTags(amounts);
    const at = (is: 'above' | 'atLeast' | 'below' | 'atMost' | 'equal', value: string) =>
      tagsWhere({ field: 'tag', is, value, asNumber: true });
    expect(await at('above', '9')).toEqual(['10', '123456789012345678901234567890']);
    expect(await at('atLeast', '123456789012345678901234567890')).toEqual(['123456789012345678901234567890']);
    expect(await at('below', '10')).toEqual(['9', '0', '-9', '-10', '-12']);
    expect(await at('atMost', '0')).toEqual(['0', '-9', '-10', '-12']);
    expect(await at('above', '-10')).toEqual(['9', '10', '123456789012345678901234567890', '0', '-9']);
    expect(await at('atMost', '-10')).toEqual(['-10', '-12']);
    expect(await at('equal', '10')).toEqual(['10']);
  });

  it('texts of whole numbers can be sorted as numbers of any size', async () => {
    const ascending = ['-12', '-10', '-9', '', '0', '9', '10', '123456789012345678901234567890'];
    await insertTags(['9', '-9', '10', '', '123456789012345678901234567890', '0', '-12', '-10', null]);
    const sorted = async (descending: boolean) => {
      const sort = [{ field: 'tag', asNumber: true, descending }, { field: 'sequence' }];
      const rows = await database().lists.find('messages', { namespace: 'default', where: [], sort, limit: 10 });
      return rows.map(({ tag }) => tag);
    };
    expect(await sorted(false)).toEqual([...ascending, null]);
    expect(await sorted(true)).toEqual([...ascending.toReversed(), null]);
  });

  it.each<[string, Condition]>([
    ['a column that the table does not have', equal('color', 'red')],
    ['a column that all objects have', equal('constructor', 'red')],
    ['a value of another kind', equal('tag', 3)],
    ['the value of a structure', equal('topics', '["default"]')],
    ['a part of a number', { field: 'sizeBytes', is: 'contains', value: '1' }],
    ['several elements of a text', { field: 'tag', is: 'several' }],
    ['what is behind a space of a number', { field: 'sizeBytes', is: 'behindSpace', of: equal('value', 'a') }],
    ['a member of a text', { field: 'tag', is: 'behindSpace', of: equal('id', 'a') }],
    ['the elements of a text', { field: 'tag', is: 'has', of: equal('value', 'a') }],
    ['a member of an element', { field: 'data', is: 'has', of: equal('id', 'a') }],
    ['a column that the table does not have, inside another', { is: 'not', of: equal('color', 'red') }],
  ])('a condition on %s is refused', async (_, condition) => {
    const { where } = query([condition]);
    await expect(database().lists.find('messages', query(where))).rejects.toThrow();
    await expect(database().lists.count('messages', query(where))).rejects.toThrow();
  });

  it.each(['color', 'topics', '"sequence" --'])('an order by %s is refused', async (field) => {
    await expect(database().lists.find('messages', query([], { sort: [{ field }] }))).rejects.toThrow();
  });
}
