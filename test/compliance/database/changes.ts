import { expect, it } from 'vitest';
import type { Database, Reader } from '../../../src/ports/database.js';
import { every } from '../../../src/ports/tables/where.js';
import { aPin, all, anOperation, pluck } from './rows.js';

/** Tests different changes of several rows in one call. */
export function describeChanges(database: () => Database): void {
  it('rows can each be changed differently, by their sequence or a unique key', async () => {
    const ids = ['a', 'b', 'c'];
    await database().transaction((unit) =>
      unit.insert(
        'operations',
        ids.map((id) => anOperation({ id, error: 'late' })),
      ),
    );
    await database().transaction(async (unit) => {
      await unit.updateEach('operations', 'sequence', [
        { sequence: 1, nonce: 7, output: { done: [1, 'x'] }, error: null },
        { sequence: 3, nonce: 2 ** 52, output: null, error: '\u0000 "' },
        { sequence: 9, nonce: 1, output: null, error: null },
      ]);
      await unit.updateEach('operations', 'id', [
        { id: 'b', status: 'Failed' },
        { id: 'x', status: 'Failed' },
      ]);
    });
    expect(await database().rows('operations', { namespace: every }, all)).toEqual([
      { ...anOperation({ id: 'a', nonce: 7, output: { done: [1, 'x'] } }), sequence: 1 },
      { ...anOperation({ id: 'b', error: 'late', status: 'Failed' }), sequence: 2 },
      { ...anOperation({ id: 'c', nonce: 2 ** 52, error: '\u0000 "' }), sequence: 3 },
    ]);
  });

  it('changes apply in the order of the calls, so that the later one counts, and the unit sees them', async () => {
    const seen = await database().transaction(async (unit) => {
      await unit.updateEach('pins', 'sequence', [{ sequence: 1, block: 1 }]);
      await unit.insert('pins', [aPin({ context: 'a', block: 2 }), aPin({ context: 'b', index: 1, block: 3 })]);
      await unit.updateEach('pins', 'sequence', [
        { sequence: 1, block: 4 },
        { sequence: 1, block: 5 },
      ]);
      await unit.updateEach('pins', 'sequence', [{ sequence: 2, spent: true }]);
      await unit.updateEach('pins', 'sequence', [{ sequence: 2, block: 6 }]);
      return Promise.all([unit.count('pins', { block: 5 }), unit.rows('pins', {}, all)]);
    });
    expect(seen[0]).toBe(1);
    expect(pluck(seen[1], 'block')).toEqual([5, 6]);
    expect(await database().rows('pins', {}, all)).toEqual(seen[1]);
    const changed = await database().transaction(async (unit) => {
      await unit.updateEach('pins', 'sequence', [{ sequence: 1, spent: true }]);
      return unit.update('pins', { spent: true }, { block: 8 });
    });
    expect(changed).toBe(2);
    expect(pluck(await database().rows('pins', {}, all), 'block')).toEqual([8, 8]);
  });

  it('changes of single rows are undone with their unit', async () => {
    await database().transaction((unit) => unit.insert('pins', [aPin()]));
    const unit = database().transaction(async (inner) => {
      await inner.updateEach('pins', 'sequence', [{ sequence: 1, spent: true }]);
      throw new Error('refused');
    });
    const beside = database().transaction((inner) => inner.updateEach('pins', 'sequence', [{ sequence: 1, block: 9 }]));
    await expect(unit).rejects.toThrow('refused');
    await beside;
    expect(await database().rows('pins', {}, all)).toEqual([{ ...aPin({ block: 9 }), sequence: 1 }]);
  });

  it.each([
    ['a key that is not unique', 'lane', [{ lane: 'store', nonce: 1 }]],
    ['no key', 'id', [{ nonce: 1 }]],
    [
      'different columns',
      'id',
      [
        { id: 'a', nonce: 1 },
        { id: 'b', error: '' },
      ],
    ],
    [
      'a column more',
      'id',
      [
        { id: 'a', nonce: 1 },
        { id: 'b', nonce: 1, error: '' },
      ],
    ],
    ['nothing to change', 'id', [{ id: 'a' }]],
    ['a value that does not fit', 'id', [{ id: 'a', nonce: 'x' }]],
    ['a column that the table has not', 'id', [{ id: 'a', more: 1 }]],
    ['a change of a unique key', 'sequence', [{ sequence: 1, id: 'a' }]],
  ])('changes of single rows with %s are refused', async (_, key, rows) => {
    const unit = database().transaction((inner) => inner.updateEach('operations', key as 'id', rows as never));
    await expect(unit).rejects.toThrow();
  });

  it('an empty list of changes changes nothing', async () => {
    await database().transaction((unit) => unit.updateEach('pins', 'sequence', []));
    expect(await database().count('pins', {})).toBe(0);
  });

  it('rows given by all columns of a unique key are filtered by the other conditions as they are now', async () => {
    const indexes = [0, 1, 2, 3, 4];
    await database().transaction((unit) =>
      unit.insert('pins', [
        ...indexes.map((index) => aPin({ index, context: `c${index}` })),
        ...indexes.map((index) => aPin({ index, context: `d${index}`, batch: 'other' })),
      ]),
    );
    const { batch, batchHash, signer } = aPin();
    const named = { batch, batchHash, signer, index: [4, 1, 1, 2, 7] };
    const contextsOf = async (reader: Reader) =>
      pluck(await reader.rows('pins', { ...named, spent: false }, { ...all, by: 'index' }), 'context');
    expect(await contextsOf(database())).toEqual(['c1', 'c2', 'c4']);
    await database().transaction(async (unit) => {
      await unit.update('pins', { context: 'c2' }, { spent: true });
      await unit.remove('pins', { context: 'c4' });
      await unit.insert('pins', [aPin({ index: 7, context: 'c7' })]);
      expect(await contextsOf(unit)).toEqual(['c1', 'c7']);
    });
    expect(await contextsOf(database())).toEqual(['c1', 'c7']);
    expect(await database().count('pins', { ...named, spent: true })).toBe(1);
  });
}
