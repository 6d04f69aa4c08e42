import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ConflictError, type Database, type Unit } from '../../src/ports/database.js';
import { aDataItem, aDue, aMessage, anOperation, aPin, equal, isIn, pluck, query } from './database-rows.js';
import { describeQueries } from './database-queries.js';

export interface DatabaseUnderTest {
  readonly database: Database;
  /** What a program that starts after the end of this one would use. */
  reopen(): Promise<Database>;
  dispose(): Promise<void>;
}

/** The obligations of `ports/database.ts`. */
export function describeDatabase(adapter: string, open: () => Promise<DatabaseUnderTest>): void {
  describe(`database: ${adapter}`, () => {
    let subject: DatabaseUnderTest | undefined;
    beforeEach(async () => {
      subject = await open();
    });
    afterEach(() => subject?.dispose());
    const current = (): DatabaseUnderTest => {
      if (!subject) throw new Error('A test runs after its database was opened');
      return subject;
    };
    describeUnits(() => current().database);
    describeSharedCommits(() => current().database);
    describeKeys(() => current().database);
    describeWrites(() => current().database);
    describeQueries(() => current().database);
    describeLife(current);
  });
}

function describeUnits(database: () => Database): void {
  it('a unit resolves with its result', async () => {
    expect(await database().transaction(async () => ({ answer: 42 }))).toEqual({ answer: 42 });
  });

  it('a unit sees its own writes of every kind', async () => {
    await database().transaction(async (unit) => {
      await unit.insert('due', [aDue('a'), aDue('b')]);
      await unit.put('due', [aDue('b'), aDue('c')]);
      expect(pluck(await unit.find('due', query()), 'context')).toEqual(['a', 'b', 'c']);
      expect(await unit.update('due', query([equal('context', 'a')]), { namespace: 'other' })).toBe(1);
      expect(await unit.remove('due', query([equal('context', 'b')]))).toBe(1);
      expect(await unit.count('due', query([equal('context', 'b')]))).toBe(0);
      expect(await unit.count('due', query([equal('namespace', 'other')]))).toBe(1);
      expect(pluck(await unit.find('due', query()), 'context')).toEqual(['a', 'c']);
    });
    expect(pluck(await database().find('due', query()), 'context')).toEqual(['a', 'c']);
  });

  it('a unit sees the writes of the units before it', async () => {
    const first = database().transaction((unit) => unit.insert('due', [aDue('a')]));
    const second = database().transaction((unit) => unit.count('due', query()));
    const third = database().transaction(async (unit) => {
      await unit.put('due', [aDue('b')]);
      return unit.count('due', query());
    });
    expect(await Promise.all([first, second, third])).toEqual([undefined, 1, 2]);
  });

  it('nothing is seen outside before it is committed, and all of it when the unit has resolved', async () => {
    const seen: number[] = [];
    await database().transaction(async (unit) => {
      await unit.insert('due', [aDue('a')]);
      expect(await unit.count('due', query())).toBe(1);
      seen.push(await database().count('due', query()), (await database().find('due', query())).length);
    });
    expect(seen).toEqual([0, 0]);
    expect(await database().count('due', query())).toBe(1);
  });

  it('units run one after the other', async () => {
    let running = 0;
    const counts = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        database().transaction(async (unit) => {
          running += 1;
          expect(running).toBe(1);
          const count = await unit.count('due', query());
          await unit.insert('due', [aDue(`${i}`)]);
          running -= 1;
          return count;
        }),
      ),
    );
    expect(counts).toEqual(Array.from({ length: 20 }, (_, i) => i));
  });

  it('a unit that throws rejects with what it threw and leaves nothing', async () => {
    const error = new Error('refused');
    const unit = database().transaction(async (inner) => {
      await inner.insert('due', [aDue('a')]);
      expect(await inner.count('due', query())).toBe(1);
      throw error;
    });
    await expect(unit).rejects.toBe(error);
    expect(await database().count('due', query())).toBe(0);
  });

  it('a unit that throws before it returns a promise rejects like any other', async () => {
    const error = new Error('refused');
    const unit = database().transaction(() => {
      throw error;
    });
    await expect(unit).rejects.toBe(error);
    await database().transaction((inner) => inner.insert('due', [aDue('a')]));
  });

  it('reads and writes of a unit that is over are refused', async () => {
    let escaped: Unit | undefined;
    await database().transaction(async (unit) => {
      escaped = unit;
    });
    await expect(escaped?.insert('due', [aDue('a')])).rejects.toThrow();
    await expect(escaped?.find('due', query())).rejects.toThrow();
    await database().transaction((unit) => unit.insert('due', [aDue('b')]));
    expect(pluck(await database().find('due', query()), 'context')).toEqual(['b']);
  });

  it('calls of a unit that are made at once take effect in the order in which they were made', async () => {
    const [, count] = await database().transaction(async (unit) => {
      await unit.insert('due', [aDue('a'), aDue('b')]);
      return Promise.all([
        unit.remove('due', query([equal('context', 'a')])),
        unit.count('due', query()),
        unit.put('due', [aDue('a')]),
      ]);
    });
    expect(count).toBe(1);
    expect(pluck(await database().find('due', query()), 'context')).toEqual(['b', 'a']);
  });
}

function describeSharedCommits(database: () => Database): void {
  it('a unit that throws takes none of the units beside it along, whatever they had written', async () => {
    for (const hasWritten of [false, true]) {
      const endings = await Promise.allSettled(
        Array.from({ length: 9 }, (_, i) =>
          database().transaction(async (unit) => {
            await unit.insert('messages', [aMessage({ id: `${hasWritten}${i}` })]);
            if (hasWritten) await unit.update('messages', query([equal('id', `${hasWritten}${i}`)]), { tag: 'seen' });
            if (i % 3 === 1) throw new Error('refused');
          }),
        ),
      );
      expect(endings.map(({ status }) => status[0]).join('')).toBe('frffrffrf');
      const rows = await database().find('messages', query([equal('state', 'ready')]));
      const ids = pluck(rows, 'id').filter((id) => id.startsWith(`${hasWritten}`));
      expect(ids).toEqual([0, 2, 3, 5, 6, 8].map((i) => `${hasWritten}${i}`));
    }
  });

  it('a unit that meets an existing key takes none of the units beside it along', async () => {
    const endings = await Promise.allSettled(
      ['a', 'b', 'a', 'c', 'b', 'd'].map((context) =>
        database().transaction(async (unit) => {
          await unit.insert('transactions', [
            { namespace: 'default', id: `of ${context}`, type: 'batch_pin', created: '', blockchainIds: [] },
          ]);
          await unit.insert('due', [aDue(context)]);
          return context;
        }),
      ),
    );
    expect(endings.map((ending) => (ending.status === 'fulfilled' ? ending.value : ending.reason.name))).toEqual([
      ...['a', 'b', 'ConflictError', 'c', 'ConflictError', 'd'],
    ]);
    expect(pluck(await database().find('due', query()), 'context')).toEqual(['a', 'b', 'c', 'd']);
    expect(await database().count('transactions', query())).toBe(4);
  });

  it('of equal idempotency keys sent at once one is accepted', async () => {
    const endings = await Promise.allSettled(
      Array.from({ length: 32 }, (_, i) =>
        database().transaction((unit) => unit.insert('messages', [aMessage({ id: `${i}`, idempotencyKey: 'same' })])),
      ),
    );
    expect(endings.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await database().count('messages', query())).toBe(1);
  });

  it('a refusal that rests on a unit whose writes were undone is decided again', async () => {
    const unique = aDue('taken');
    await database().transaction((unit) => unit.insert('due', [unique]));
    const [guilty, careful] = await Promise.allSettled([
      database().transaction(async (unit) => {
        await unit.insert('messages', [aMessage({ id: 'first', idempotencyKey: 'key' })]);
        await unit.insert('due', [unique]);
      }),
      database().transaction(async (unit) => {
        const where = [equal('idempotencyKey', 'key')];
        if ((await unit.count('messages', query(where))) > 0) throw new Error('exists');
        await unit.insert('messages', [aMessage({ id: 'second', idempotencyKey: 'key' })]);
      }),
    ]);
    expect([guilty.status, careful.status]).toEqual(['rejected', 'fulfilled']);
    expect(pluck(await database().find('messages', query()), 'id')).toEqual(['second']);
  });
}

function describeKeys(database: () => Database): void {
  it.each([
    ['messages', ['id', 'hash'], [aMessage(), aMessage({ idempotencyKey: 'other' })]],
    ['messages', ['namespace', 'idempotencyKey'], ['a', 'b'].map((id) => aMessage({ id, idempotencyKey: 'key' }))],
    ['data', ['id', 'hash'], [aDataItem(), aDataItem({ validator: 'none' })]],
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
    expect(await database().count(table, query())).toBe(1);
  });

  it('a unit that meets an existing key rejects, also when it goes on as if nothing had happened', async () => {
    await database().transaction((unit) => unit.insert('due', [aDue('a')]));
    const unit = database().transaction(async (inner) => {
      await inner.insert('messages', [aMessage()]);
      await inner.insert('due', [aDue('a')]).catch(() => undefined);
      await inner.count('due', query()).catch(() => undefined);
    });
    await expect(unit).rejects.toMatchObject({ table: 'due', columns: ['context'] });
    expect(await database().count('messages', query())).toBe(0);
  });

  it('a change that makes two rows alike in a key conflicts', async () => {
    await database().transaction((unit) => unit.insert('due', [aDue('a'), aDue('b')]));
    const change = { context: 'a' };
    const unit = database().transaction((inner) => inner.update('due', query([equal('context', 'b')]), change));
    await expect(unit).rejects.toMatchObject({ table: 'due', columns: ['context'] });
    expect(pluck(await database().find('due', query()), 'context')).toEqual(['a', 'b']);
  });

  it('a null is in no key', async () => {
    await database().transaction((unit) =>
      unit.insert(
        'messages',
        ['a', 'b'].map((id) => aMessage({ id })),
      ),
    );
    expect(await database().count('messages', query())).toBe(2);
  });

  it('a key that was removed or changed is free', async () => {
    await database().transaction((unit) => unit.insert('due', [aDue('a'), aDue('b')]));
    await database().transaction(async (unit) => {
      await unit.remove('due', query([equal('context', 'a')]));
      await unit.update('due', query([equal('context', 'b')]), { context: 'c' });
      await unit.insert('due', [aDue('b'), aDue('a')]);
    });
    expect(pluck(await database().find('due', query()), 'context')).toEqual(['c', 'b', 'a']);
  });

  it('put adds what is missing and leaves what is there', async () => {
    await database().transaction((unit) => unit.insert('data', [aDataItem({ id: 'b', validator: 'first' })]));
    await database().transaction((unit) =>
      unit.put(
        'data',
        ['a', 'b', 'c', 'a'].map((id, i) => aDataItem({ id, validator: `${i}` })),
      ),
    );
    const rows = await database().find('data', query());
    expect(rows.map(({ id, validator }) => `${id} ${validator}`)).toEqual(['b first', 'a 0', 'c 2']);
  });

  it('a row put while its key was taken stays away when the key becomes free', async () => {
    await database().transaction((unit) => unit.insert('due', [aDue('a')]));
    const [held] = await database().find('due', query());
    await database().transaction(async (unit) => {
      await unit.put('due', [aDue('a')]);
      await unit.remove('due', query([equal('sequence', held?.sequence ?? 0)]));
    });
    expect(await database().count('due', query())).toBe(0);
  });
}

function describeWrites(database: () => Database): void {
  it('rows come back equal, whatever text, number or structure they hold', async () => {
    const text = 'é € 😀 \u0000 \\u0000 \' " ? \n \u2028';
    const message = aMessage({ id: text, tag: text, topics: [text, ''], data: [], sizeBytes: 2 ** 40 + 1 });
    const operation = anOperation({ input: { a: [1.5, null, { b: text }] }, output: {}, nonce: 0 });
    const pin = aPin({ masked: true, spent: true, block: 2 ** 52 });
    await database().transaction(async (unit) => {
      await unit.insert('messages', [message]);
      await unit.insert('operations', [operation]);
      await unit.insert('pins', [pin, aPin({ index: 1 })]);
    });
    expect(await database().find('messages', query([equal('id', text)]))).toEqual([{ ...message, sequence: 1 }]);
    expect(await database().find('operations', query())).toEqual([{ ...operation, sequence: 1 }]);
    expect(await database().find('pins', query([equal('masked', true)]))).toEqual([{ ...pin, sequence: 1 }]);
    expect(
      await database()
        .find('pins', query([isIn('tag', [text])]))
        .catch(() => 'refused'),
    ).toBe('refused');
    expect(await database().find('messages', query([isIn('tag', ['', text])]))).toHaveLength(1);
  });

  it('what a caller does to a row that it was given changes nothing', async () => {
    await database().transaction((unit) => unit.insert('messages', [aMessage()]));
    const [row] = await database().find('messages', query());
    try {
      Object.assign(row ?? {}, { id: 'other' });
      (row?.topics as string[]).push('other');
    } catch (error) {
      expect(error).toBeInstanceOf(TypeError);
    }
    expect(await database().find('messages', query())).toEqual([{ ...aMessage(), sequence: 1 }]);
  });

  it('sequences rise in commit order, by table, and are never used twice', async () => {
    const insert = (...contexts: string[]) => database().transaction((unit) => unit.insert('due', contexts.map(aDue)));
    await Promise.all([insert('a', 'b'), insert('c')]);
    await database().transaction((unit) => unit.insert('data', [aDataItem()]));
    const before = await database().find('due', query());
    expect(before.map(({ sequence, context }) => `${sequence}${context}`)).toEqual(['1a', '2b', '3c']);
    expect(pluck(await database().find('data', query()), 'sequence')).toEqual([1]);
    await database().transaction((unit) => unit.remove('due', query()));
    await insert('d');
    expect(pluck(await database().find('due', query()), 'sequence')).toEqual([4]);
  });

  it('update changes the rows selected, counts them, and leaves the rest', async () => {
    const rows = ['a', 'b', 'c'].map((context, index) => aPin({ context, index }));
    await database().transaction((unit) => unit.insert('pins', rows));
    const where = [isIn('context', ['a', 'c', 'x'])];
    expect(await database().transaction((unit) => unit.update('pins', query(where), { spent: true, block: 7 }))).toBe(
      2,
    );
    expect(pluck(await database().find('pins', query()), 'spent')).toEqual([true, false, true]);
    expect(pluck(await database().find('pins', query([equal('spent', true)])), 'block')).toEqual([7, 7]);
    expect(await database().transaction((unit) => unit.update('pins', query(where), { spent: true }))).toBe(2);
  });

  it('update sets and clears columns that may be null, and replaces structures whole', async () => {
    await database().transaction((unit) =>
      unit.insert('operations', [anOperation({ error: 'late', output: { a: 1, b: 2 } })]),
    );
    await database().transaction((unit) =>
      unit.update('operations', query(), { error: null, output: { b: 3 }, nonce: 4 }),
    );
    const changed = anOperation({ output: { b: 3 }, nonce: 4 });
    expect(await database().find('operations', query())).toEqual([{ ...changed, sequence: 1 }]);
  });

  it('a namespace keeps a unit from the rows of another', async () => {
    await database().transaction((unit) =>
      unit.insert(
        'messages',
        ['one', 'two'].map((namespace) => aMessage({ namespace, id: namespace })),
      ),
    );
    const one = { namespace: 'one', where: [] };
    await database().transaction(async (unit) => {
      expect(await unit.update('messages', one, { tag: 'seen' })).toBe(1);
      expect(await unit.remove('messages', { ...one, where: [equal('id', 'two')] })).toBe(0);
    });
    expect(pluck(await database().find('messages', query()), 'tag')).toEqual(['seen', null]);
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
    await expect(database().transaction((unit) => unit.update('due', query(), change))).rejects.toThrow();
    expect(await database().count('due', query())).toBe(1);
  });
}

function describeLife(subject: () => DatabaseUnderTest): void {
  it('what was committed is there after a restart, and sequences go on', async () => {
    await subject().database.transaction(async (unit) => {
      await unit.insert('messages', [aMessage()]);
      await unit.insert('due', [aDue('a'), aDue('b')]);
    });
    await subject().database.transaction((unit) => unit.remove('due', query([equal('context', 'b')])));
    await subject().database.close();
    const database = await subject().reopen();
    expect(await database.find('messages', query())).toEqual([{ ...aMessage(), sequence: 1 }]);
    await database.transaction((unit) => unit.insert('due', [aDue('b')]));
    expect(pluck(await database.find('due', query()), 'sequence')).toEqual([1, 3]);
    const again = database.transaction((unit) => unit.insert('messages', [aMessage()]));
    await expect(again).rejects.toBeInstanceOf(ConflictError);
  });

  it('closing waits for the units and reads that have begun, and later calls are refused', async () => {
    const { database } = subject();
    const units = ['a', 'b'].map((context) => database.transaction((unit) => unit.insert('due', [aDue(context)])));
    const read = database.count('messages', query());
    await Promise.all([database.close(), database.close()]);
    await Promise.all([...units, read]);
    await expect(database.transaction(async () => 1)).rejects.toThrow();
    await expect(database.find('due', query())).rejects.toThrow();
    await expect(database.count('due', query())).rejects.toThrow();
    expect(await (await subject().reopen()).count('due', query())).toBe(2);
  });
}
