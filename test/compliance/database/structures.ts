import { expect, it } from 'vitest';
import type { Database } from '../../../src/ports/database.js';
import type { Condition } from '../../../src/wire/lists/query.js';
import { aMessage, anOperation, equal, isIn, pluck, query } from './rows.js';

/** Tests conditions on columns with arrays and objects. */
export function describeStructures(database: () => Database): void {
  it('conditions on an array hold if any of its elements meets them', async () => {
    const topics = [['orders'], ['orders', 'bills'], ['Bills'], ['orders","x']];
    await database().transaction((unit) =>
      unit.insert(
        'messages',
        topics.map((each, i) => aMessage({ id: `${i}`, topics: each })),
      ),
    );
    const idsWhere = async (of: Condition, isNot = false) => {
      const has: Condition = { field: 'topics', is: 'has', of };
      return pluck(await database().lists.find('messages', query([isNot ? { is: 'not', of: has } : has])), 'id');
    };
    expect(await idsWhere(equal('value', 'orders'))).toEqual(['0', '1']);
    expect(await idsWhere(equal('value', 'orders'), true)).toEqual(['2', '3']);
    expect(await idsWhere(isIn('value', ['bills', 'Bills']))).toEqual(['1', '2']);
    expect(await idsWhere({ field: 'value', is: 'startsWith', value: 'bill', ignoresCase: true })).toEqual(['1', '2']);
    expect(await idsWhere({ field: 'value', is: 'notNull' })).toEqual(['0', '1', '2', '3']);
    const several: Condition = { field: 'topics', is: 'several' };
    expect(pluck(await database().lists.find('messages', query([several])), 'id')).toEqual(['1']);
  });

  it('rows with an element are in order, paged and counted, whether the array has others or not', async () => {
    const topics = ['a', 'b', 'c'].flatMap((each) => [[each], ['orders'], ['bills', 'orders'], ['orders', each]]);
    await database().transaction((unit) =>
      unit.insert(
        'messages',
        topics.map((each, i) => aMessage({ id: String(i).padStart(2, '0'), topics: each, rank: `${(i * 5) % 12}` })),
      ),
    );
    const where: readonly Condition[] = [{ field: 'topics', is: 'has', of: equal('value', 'orders') }];
    const sort = [{ field: 'rank', descending: true }];
    const page = async (skip: number, limit: number) =>
      pluck(await database().lists.find('messages', { namespace: 'default', where, sort, skip, limit }), 'id');
    const all = ['09', '11', '06', '01', '03', '10', '07', '02', '05'];
    expect(await page(0, 20)).toEqual(all);
    expect([...(await page(0, 4)), ...(await page(4, 4)), ...(await page(8, 4))]).toEqual(all);
    expect(await database().lists.count('messages', { namespace: 'default', where })).toBe(9);
  });

  it('conditions on an object apply to its JSON text', async () => {
    const inputs = [{ a: 1 }, { b: { a: 'x' } }];
    await database().transaction((unit) =>
      unit.insert(
        'operations',
        inputs.map((input, i) => anOperation({ id: `${i}`, input, output: i === 0 ? null : { done: true } })),
      ),
    );
    const idsWhere = async (...where: Condition[]) =>
      pluck(await database().lists.find('operations', query(where)), 'id');
    const contains = (value: string): Condition => ({ field: 'value', is: 'contains', value });
    expect(await idsWhere({ field: 'input', is: 'written', of: contains('"a":"x"') })).toEqual(['1']);
    expect(await idsWhere({ field: 'input', is: 'written', of: equal('value', '{"a":1}') })).toEqual(['0']);
    expect(await idsWhere({ is: 'not', of: { field: 'output', is: 'written', of: contains('done') } })).toEqual(['0']);
  });

  it('conditions on the JSON text of an object see each escape in its original spelling', async () => {
    const texts = ['\u0000', '\u0001', '\u0003', '\u0001\u0003\u0002\u0000', '\ud800\udc00\udfff', '\\u0001\u0004ud8'];
    const inputs = [...texts, 'plain'].map((why) => ({ why }));
    await database().transaction((unit) =>
      unit.insert(
        'operations',
        inputs.map((input, i) => anOperation({ id: `${i}`, input })),
      ),
    );
    const idsWhere = async (of: Condition) => {
      const rows = await database().lists.find('operations', query([{ field: 'input', is: 'written', of }]));
      return pluck(rows, 'id').join(',');
    };
    const has = (is: 'contains' | 'startsWith' | 'endsWith', value: string) => idsWhere({ field: 'value', is, value });
    expect(await has('contains', '\\u0000')).toBe('0,3');
    expect(await has('contains', '0001')).toBe('1,3,5');
    expect(await has('contains', '\\u0003\\u0002')).toBe('3');
    expect(await has('contains', '\\u0004')).toBe('5');
    expect(await has('endsWith', '\ud800\udc00\\udfff"}')).toBe('4');
    expect(await has('startsWith', '{"why":"\\u0000')).toBe('0');
    expect(await idsWhere(equal('value', '{"why":"\\u0003"}'))).toBe('2');
    expect(await idsWhere(equal('value', '{"why":"\\\\u0001\\u0004ud8"}'))).toBe('5');
    expect(await idsWhere({ field: 'value', is: 'above', value: '{"why":"\\u0003' })).toBe('2,4,6');
  });
}
