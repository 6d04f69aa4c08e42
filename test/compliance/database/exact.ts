import { expect, it } from 'vitest';
import type { Database, Reader } from '../../../src/ports/database.js';
import { aMessage, equal, pluck, query } from './rows.js';

/** Rows by the values of a unique key. */
export function describeExact(database: () => Database): void {
  it('rows are found by exactly the values of a unique key, also those that a unit has just written', async () => {
    const keys = { columns: ['id', 'hash'], values: [] as [string, string][] } as const;
    const idsOf = async (reader: Reader, ...values: [string, string][]) =>
      pluck(await reader.exact('messages', { ...keys, values }), 'id').sort();
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
      await unit.update('messages', query([equal('id', 'b')]), { tag: 'changed' });
      expect(await idsOf(unit, ...all)).toEqual(['a', 'b', 'd']);
      await unit.remove('messages', query([equal('id', 'a')]));
      expect(await idsOf(unit, ...all)).toEqual(['b', 'd']);
      expect(await unit.exact('messages', { ...keys, values: [['b', 'other']] })).toMatchObject([{ tag: 'changed' }]);
    });
    expect(await idsOf(database())).toEqual([]);
    await expect(database().exact('messages', { columns: ['hash'], values: [[hash]] })).rejects.toThrow('unique key');
  });
}
