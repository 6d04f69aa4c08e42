import { expect, it } from 'vitest';
import type { Database, Reader } from '../../../src/ports/database.js';
import { every } from '../../../src/ports/tables/where.js';
import { aMessage, pluck } from './rows.js';

/** Rows by the values of a unique key. */
export function describeExact(database: () => Database): void {
  it('rows are found by exact values of a unique key, including rows that a unit has just written', async () => {
    const exact = (reader: Reader, ...values: [string, string][]) =>
      reader.exact(
        'messages',
        ['id', 'hash'],
        values.map(([id, hash]) => ({ id, hash })),
      );
    const idsOf = async (reader: Reader, ...values: [string, string][]) =>
      pluck(await exact(reader, ...values), 'id').sort();
    const others = ['b', 'c'].map((id) => aMessage({ id, hash: 'other', state: 'confirmed' }));
    await database().transaction((unit) => unit.insert('messages', [aMessage({ id: 'a' }), ...others]));
    const { hash } = aMessage();
    const all: [string, string][] = [
      ['a', hash],
      ['a', 'other'],
      ['b', 'other'],
      ['b', 'other'],
      ['d', hash],
    ];
    expect(await idsOf(database(), ...all)).toEqual(['a', 'b']);
    await database().transaction(async (unit) => {
      await unit.insert('messages', [aMessage({ id: 'd' })]);
      await unit.update('messages', { namespace: every, id: 'b' }, { tag: 'changed' });
      expect(await idsOf(unit, ...all)).toEqual(['a', 'b', 'd']);
      await unit.remove('messages', { namespace: every, id: 'a' });
      expect(await idsOf(unit, ...all)).toEqual(['b', 'd']);
      expect(await exact(unit, ['b', 'other'])).toMatchObject([{ tag: 'changed' }]);
    });
    expect(await idsOf(database())).toEqual([]);
    await expect(database().exact('messages', ['hash'], [{ hash }])).rejects.toThrow('unique key');
  });
}
