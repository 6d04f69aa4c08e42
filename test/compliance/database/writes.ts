import { expect, it } from 'vitest';
import { ConflictError, type Database } from '../../../src/ports/database.js';
import { every } from '../../../src/ports/tables/where.js';
import { textOf } from '../../../src/wire/json/json.js';
import { aDataItem, aDue, aMessage, aPin, all, anOperation, isIn, pluck, query } from './rows.js';

/** Tests unique keys. */
export function describeKeys(database: () => Database): void {
  it.each([
    ['messages', ['id', 'hash'], [aMessage(), aMessage({ idempotencyKey: 'other' })]],
    ['messages', ['namespace', 'idempotencyKey'], ['a', 'b'].map((id) => aMessage({ id, idempotencyKey: 'key' }))],
    ['data', ['id', 'hash', 'seal'], [aDataItem(), aDataItem({ validator: 'none' })]],
    ['pins', ['batch', 'batchHash', 'signer', 'index'], [aPin(), aPin({ context: 'other' })]],
    ['operations', ['id'], [anOperation(), anOperation({ lane: 'store' })]],
  ] as const)('a second row of %s with the same %j conflicts and says so', async (table, columns, rows) => {
    const [first, second] = rows;
    const together = database().transaction((inner) => inner.insert(table, rows as never));
    await expect(together).rejects.toMatchObject({ table, columns });
    await database().transaction((unit) => unit.insert(table, [first as never]));
    const unit = database().transaction((inner) => inner.insert(table, [second as never]));
    await expect(unit).rejects.toBeInstanceOf(ConflictError);
    await expect(unit).rejects.toMatchObject({ table, columns });
    expect(await database().count(table, { namespace: every })).toBe(1);
  });

  it('a unit that violates a key rejects, even if it continues after the error', async () => {
    await database().transaction((unit) => unit.insert('due', [aDue('a')]));
    const unit = database().transaction(async (inner) => {
      await inner.insert('messages', [aMessage()]);
      await inner.insert('due', [aDue('a')]).catch(() => undefined);
      await inner.count('due', {}).catch(() => undefined);
    });
    await expect(unit).rejects.toMatchObject({ table: 'due', columns: ['context'] });
    expect(await database().count('messages', { namespace: every })).toBe(0);
  });

  it('a change that makes two rows equal in a key conflicts', async () => {
    await database().transaction((unit) => unit.insert('due', [aDue('a'), aDue('b')]));
    const change = { context: 'a' };
    const unit = database().transaction((inner) => inner.update('due', { context: 'b' }, change));
    await expect(unit).rejects.toMatchObject({ table: 'due', columns: ['context'] });
    expect(pluck(await database().rows('due', {}, all), 'context')).toEqual(['a', 'b']);
  });

  it('a null never conflicts', async () => {
    await database().transaction((unit) =>
      unit.insert(
        'messages',
        ['a', 'b'].map((id) => aMessage({ id })),
      ),
    );
    expect(await database().count('messages', { namespace: every })).toBe(2);
  });

  it('a key that was removed or changed is free', async () => {
    await database().transaction((unit) => unit.insert('due', [aDue('a'), aDue('b')]));
    await database().transaction(async (unit) => {
      await unit.remove('due', { context: 'a' });
      await unit.update('due', { context: 'b' }, { context: 'c' });
      await unit.insert('due', [aDue('b'), aDue('a')]);
    });
    expect(pluck(await database().rows('due', {}, all), 'context')).toEqual(['c', 'b', 'a']);
  });

  it('put adds missing rows and leaves existing ones', async () => {
    await database().transaction((unit) => unit.insert('data', [aDataItem({ id: 'b', validator: 'first' })]));
    await database().transaction((unit) =>
      unit.put(
        'data',
        ['a', 'b', 'c', 'a'].map((id, i) => aDataItem({ id, validator: `${i}` })),
      ),
    );
    const rows = await database().rows('data', { namespace: every }, all);
    expect(rows.map(({ id, validator }) => `${id} ${validator}`)).toEqual(['b first', 'a 0', 'c 2']);
  });

  it('a row put while its key was taken stays absent when the key becomes free', async () => {
    await database().transaction((unit) => unit.insert('due', [aDue('a')]));
    const [held] = await database().rows('due', {}, all);
    await database().transaction(async (unit) => {
      await unit.put('due', [aDue('a')]);
      await unit.remove('due', { sequence: held?.sequence ?? 0 });
    });
    expect(await database().count('due', {})).toBe(0);
  });
}

/** Tests that rows are stored and changed as written. */
export function describeWrites(database: () => Database): void {
  it('rows are returned equal, whatever text, number or structure they contain', async () => {
    const text = 'é € 😀 \u0000 \\u0000 \' " ? \n \u2028';
    const message = aMessage({ id: text, tag: text, topics: [text, ''], data: [], sizeBytes: 2 ** 40 + 1 });
    const operation = anOperation({ input: { a: [1.5, null, { b: text }] }, output: {}, nonce: 0 });
    const pin = aPin({ masked: true, spent: true, block: 2 ** 52 });
    await database().transaction(async (unit) => {
      await unit.insert('messages', [message]);
      await unit.insert('operations', [operation]);
      await unit.insert('pins', [pin, aPin({ index: 1 })]);
    });
    expect(await database().rows('messages', { namespace: every, id: text }, all)).toEqual([
      { ...message, sequence: 1 },
    ]);
    expect(await database().rows('operations', { namespace: every }, all)).toEqual([{ ...operation, sequence: 1 }]);
    expect(await database().rows('pins', { masked: true }, all)).toEqual([{ ...pin, sequence: 1 }]);
    await expect(database().lists.find('pins', query([isIn('tag', [text])]))).rejects.toThrow();
    expect(await database().rows('messages', { namespace: every, tag: ['', text] }, all)).toHaveLength(1);
  });

  it('a caller that changes a returned row changes nothing in the database', async () => {
    await database().transaction((unit) => unit.insert('messages', [aMessage()]));
    const [row] = await database().rows('messages', { namespace: every }, all);
    try {
      Object.assign(row ?? {}, { id: 'other' });
      (row?.topics as string[]).push('other');
    } catch (error) {
      expect(error).toBeInstanceOf(TypeError);
    }
    expect(await database().rows('messages', { namespace: every }, all)).toEqual([{ ...aMessage(), sequence: 1 }]);
  });

  it('sequences rise in commit order, by table, and are never reused', async () => {
    const insert = (...contexts: string[]) => database().transaction((unit) => unit.insert('due', contexts.map(aDue)));
    await Promise.all([insert('a', 'b'), insert('c')]);
    await database().transaction((unit) => unit.insert('data', [aDataItem()]));
    const before = await database().rows('due', {}, all);
    expect(before.map(({ sequence, context }) => `${sequence}${context}`)).toEqual(['1a', '2b', '3c']);
    expect(pluck(await database().rows('data', { namespace: every }, all), 'sequence')).toEqual([1]);
    await database().transaction((unit) => unit.remove('due', {}));
    await insert('d');
    expect(pluck(await database().rows('due', {}, all), 'sequence')).toEqual([4]);
  });

  it('update changes the selected rows, counts them, and leaves the rest', async () => {
    const rows = ['a', 'b', 'c'].map((context, index) => aPin({ context, index }));
    await database().transaction((unit) => unit.insert('pins', rows));
    const where = { context: ['a', 'c', 'x'] } as const;
    expect(await database().transaction((unit) => unit.update('pins', { ...where }, { spent: true, block: 7 }))).toBe(
      2,
    );
    expect(pluck(await database().rows('pins', {}, all), 'spent')).toEqual([true, false, true]);
    expect(pluck(await database().rows('pins', { spent: true }, all), 'block')).toEqual([7, 7]);
    expect(await database().transaction((unit) => unit.update('pins', { ...where }, { spent: true }))).toBe(2);
  });

  it('update sets and clears nullable columns, and replaces whole structures', async () => {
    await database().transaction((unit) =>
      unit.insert('operations', [anOperation({ error: 'late', output: { a: 1, b: 2 } })]),
    );
    await database().transaction((unit) =>
      unit.update('operations', { namespace: every }, { error: null, output: { b: 3 }, nonce: 4 }),
    );
    const changed = anOperation({ output: { b: 3 }, nonce: 4 });
    expect(await database().rows('operations', { namespace: every }, all)).toEqual([{ ...changed, sequence: 1 }]);
  });

  it('a unit may write to many tables, many rows and long texts', async () => {
    const long = textOf(Array.from({ length: 10_000 }, () => ({ a: 'é' })));
    const due = Array.from({ length: 500 }, (_, i) => aDue(`${i}`));
    for (const id of ['a', 'b']) {
      await database().transaction(async (unit) => {
        await unit.insert('operations', [anOperation({ id, input: { long } })]);
        await unit.insert('pins', [aPin({ batch: id })]);
        await unit.put('due', due);
        await unit.insert('data', [
          aDataItem({ id, value: textOf('short') }),
          aDataItem({ id: `${id}2`, value: long }),
        ]);
        await unit.put('data', [aDataItem({ id }), aDataItem({ id: `${id}3` })]);
        await unit.updateEach('data', 'sequence', [{ sequence: 1, blobName: long }]);
      });
    }
    expect(pluck(await database().rows('data', { namespace: every }, all), 'value')).toEqual(
      ['a', 'b'].flatMap(() => [textOf('short'), long, aDataItem().value]),
    );
    expect(pluck(await database().rows('data', { sequence: 1 }, all), 'blobName')).toEqual([long]);
    expect(pluck(await database().rows('operations', { namespace: every }, all), 'input')).toEqual([
      { long },
      { long },
    ]);
    expect(pluck(await database().rows('due', {}, all), 'context')).toEqual(pluck(due, 'context'));
  });

  it.each([1, 5])('long text in %d rows at once is returned unchanged, and is not searched', async (count) => {
    const operations = Array.from({ length: count }, (_, i) => anOperation({ id: `${i}` }));
    for (const length of [0, 511, 512, 513, 40_000]) {
      const raws = operations.map(({ id }) => id + 'é0'.repeat(length));
      await database().transaction(async (unit) => {
        await unit.insert(
          'operations',
          raws.map((raw, i) => anOperation({ id: `${length} ${i}`, raw })),
        );
        if (length === 0) await unit.insert('operations', operations);
      });
      expect(await rawsOf({ id: raws.map((_, i) => `${length} ${i}`) })).toEqual(raws);
      const changes = raws.map((raw, i) => ({ id: `${i}`, raw }));
      await database().transaction((unit) => unit.updateEach('operations', 'id', changes));
      expect(await rawsOf({ id: pluck(operations, 'id') })).toEqual(raws);
    }
    expect(await database().count('operations', { namespace: every, raw: null })).toBe(0);
    await expect(database().rows('operations', { namespace: every, raw: '0' }, all)).rejects.toThrow('not searched');

    async function rawsOf(where: { readonly id: readonly string[] }): Promise<readonly unknown[]> {
      return pluck(await database().rows('operations', { namespace: every, ...where }, all), 'raw');
    }
  });

  it('a namespace hides the rows of another from a unit', async () => {
    await database().transaction((unit) =>
      unit.insert(
        'messages',
        ['one', 'two'].map((namespace) => aMessage({ namespace, id: namespace })),
      ),
    );
    const one = { namespace: 'one' } as const;
    await database().transaction(async (unit) => {
      expect(await unit.update('messages', one, { tag: 'seen' })).toBe(1);
      expect(await unit.remove('messages', { namespace: 'one', id: 'two' })).toBe(0);
    });
    expect(pluck(await database().rows('messages', { namespace: every }, all), 'tag')).toEqual(['seen', null]);
    expect(await database().count('messages', one)).toBe(1);
  });

  it('rows that do not fit their table are refused', async () => {
    const { context } = aDue('a');
    for (const row of [
      { context },
      { ...aDue('a'), more: 1 },
      { namespace: 'x', context: 3 },
      { namespace: null, context },
    ]) {
      await expect(database().transaction((unit) => unit.insert('due', [row as never]))).rejects.toThrow();
      await expect(database().transaction((unit) => unit.put('due', [row as never]))).rejects.toThrow();
    }
    await database().transaction((unit) => unit.insert('due', [aDue('a')]));
    const change = { more: 1 } as never;
    await expect(database().transaction((unit) => unit.update('due', {}, change))).rejects.toThrow();
    expect(await database().count('due', {})).toBe(1);
  });
}
