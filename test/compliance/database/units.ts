import { newTransaction } from '../../../src/pipeline/state/chain/transaction-row.js';
import { expect, it } from 'vitest';
import type { Database } from '../../../src/ports/database.js';
import { every } from '../../../src/ports/tables/where.js';
import { aDue, aMessage, all, pluck } from './rows.js';

/** Tests transactions: what a unit sees, what others see of it, and what remains. */
export function describeUnits(database: () => Database): void {
  it('a unit resolves with its result', async () => {
    expect(await database().transaction(async () => ({ answer: 42 }))).toEqual({ answer: 42 });
  });

  it('a unit sees its own writes of every kind', async () => {
    await database().transaction(async (unit) => {
      await unit.insert('due', [aDue('a'), aDue('b')]);
      await unit.put('due', [aDue('b'), aDue('c')]);
      expect(pluck(await unit.rows('due', {}, all), 'context')).toEqual(['a', 'b', 'c']);
      expect(await unit.update('due', { context: 'a' }, { namespace: 'other' })).toBe(1);
      expect(await unit.remove('due', { context: 'b' })).toBe(1);
      expect(await unit.count('due', { context: 'b' })).toBe(0);
      expect(await unit.count('due', { namespace: 'other' })).toBe(1);
      expect(pluck(await unit.rows('due', {}, all), 'context')).toEqual(['a', 'c']);
    });
    expect(pluck(await database().rows('due', {}, all), 'context')).toEqual(['a', 'c']);
  });

  it('a unit finds its own writes in their places, from either end', async () => {
    await database().transaction((unit) => unit.insert('due', ['a', 'b', 'c', 'd'].map(aDue)));
    await database().transaction(async (unit) => {
      await unit.insert('due', [aDue('e'), aDue('f')]);
      await unit.remove('due', { context: ['b', 'f'] });
      await unit.update('due', { context: 'a' }, { namespace: 'other' });
      const few = async (limit: number, newestFirst: boolean) =>
        pluck(await unit.rows('due', {}, { limit, newestFirst }), 'context');
      expect([await few(3, false), await few(3, true)]).toEqual([
        ['a', 'c', 'd'],
        ['e', 'd', 'c'],
      ]);
      expect((await unit.last('due', { namespace: 'other' }))?.context).toBe('a');
    });
  });

  it('a unit sees the writes of the units before it', async () => {
    const first = database().transaction((unit) => unit.insert('due', [aDue('a')]));
    const second = database().transaction((unit) => unit.count('due', {}));
    const third = database().transaction(async (unit) => {
      await unit.put('due', [aDue('b')]);
      return unit.count('due', {});
    });
    expect(await Promise.all([first, second, third])).toEqual([undefined, 1, 2]);
  });

  it('nothing is visible outside before the commit, and everything when the unit has resolved', async () => {
    const seen: number[] = [];
    await database().transaction(async (unit) => {
      await unit.insert('due', [aDue('a')]);
      expect(await unit.count('due', {})).toBe(1);
      seen.push(await database().count('due', {}), (await database().rows('due', {}, all)).length);
    });
    expect(seen).toEqual([0, 0]);
    expect(await database().count('due', {})).toBe(1);
  });

  it('units run one after the other', async () => {
    let running = 0;
    const counts = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        database().transaction(async (unit) => {
          running += 1;
          expect(running).toBe(1);
          const count = await unit.count('due', {});
          await unit.insert('due', [aDue(`${i}`)]);
          running -= 1;
          return count;
        }),
      ),
    );
    expect(counts).toEqual(Array.from({ length: 20 }, (_, i) => i));
  });

  it('a unit that throws rejects with its error and has no effect', async () => {
    const error = new Error('refused');
    const unit = database().transaction(async (inner) => {
      await inner.insert('due', [aDue('a')]);
      expect(await inner.count('due', {})).toBe(1);
      throw error;
    });
    await expect(unit).rejects.toBe(error);
    expect(await database().count('due', {})).toBe(0);
  });

  it('a unit that throws before it returns a promise rejects like any other', async () => {
    const error = new Error('refused');
    const unit = database().transaction(() => {
      throw error;
    });
    await expect(unit).rejects.toBe(error);
    await database().transaction((inner) => inner.insert('due', [aDue('a')]));
  });

  it('reads and writes of a finished unit are refused', async () => {
    const escaped = await database().transaction((unit) => Promise.resolve(unit));
    await expect(escaped.insert('due', [aDue('a')])).rejects.toThrow();
    await expect(escaped.rows('due', {}, all)).rejects.toThrow();
    await database().transaction((unit) => unit.insert('due', [aDue('b')]));
    expect(pluck(await database().rows('due', {}, all), 'context')).toEqual(['b']);
  });

  it('concurrent calls of a unit take effect in the order in which they were made', async () => {
    const [, count] = await database().transaction(async (unit) => {
      await unit.insert('due', [aDue('a'), aDue('b')]);
      return Promise.all([unit.remove('due', { context: 'a' }), unit.count('due', {}), unit.put('due', [aDue('a')])]);
    });
    expect(count).toBe(1);
    expect(pluck(await database().rows('due', {}, all), 'context')).toEqual(['b', 'a']);
  });
}

/** Tests that units that may share a commit succeed or fail separately. */
export function describeSharedCommits(database: () => Database): void {
  it('a unit that throws does not affect units in the same commit, whatever they had written', async () => {
    for (const hasWritten of [false, true]) {
      const endings = await Promise.allSettled(
        Array.from({ length: 9 }, (_, i) =>
          database().transaction(async (unit) => {
            await unit.insert('messages', [aMessage({ id: `${hasWritten}${i}` })]);
            if (hasWritten)
              await unit.update('messages', { namespace: every, id: `${hasWritten}${i}` }, { tag: 'seen' });
            if (i % 3 === 1) throw new Error('refused');
          }),
        ),
      );
      expect(endings.map(({ status }) => status[0]).join('')).toBe('frffrffrf');
      const rows = await database().rows('messages', { namespace: every, state: 'ready' }, all);
      const ids = pluck(rows, 'id').filter((id) => id.startsWith(`${hasWritten}`));
      expect(ids).toEqual([0, 2, 3, 5, 6, 8].map((i) => `${hasWritten}${i}`));
    }
  });

  it('a unit that violates a key does not affect units in the same commit', async () => {
    const endings = await Promise.allSettled(
      ['a', 'b', 'a', 'c', 'b', 'd'].map((context) =>
        database().transaction(async (unit) => {
          await unit.insert('transactions', [
            newTransaction('default', { id: `of ${context}`, type: 'batch_pin', created: '' }),
          ]);
          await unit.insert('due', [aDue(context)]);
          return context;
        }),
      ),
    );
    expect(endings.map((ending) => (ending.status === 'fulfilled' ? ending.value : ending.reason.name))).toEqual([
      'a',
      'b',
      'ConflictError',
      'c',
      'ConflictError',
      'd',
    ]);
    expect(pluck(await database().rows('due', {}, all), 'context')).toEqual(['a', 'b', 'c', 'd']);
    expect(await database().count('transactions', { namespace: every })).toBe(4);
  });

  it('of concurrent equal idempotency keys one is accepted', async () => {
    const endings = await Promise.allSettled(
      Array.from({ length: 32 }, (_, i) =>
        database().transaction((unit) => unit.insert('messages', [aMessage({ id: `${i}`, idempotencyKey: 'same' })])),
      ),
    );
    expect(endings.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await database().count('messages', { namespace: every })).toBe(1);
  });

  it('a refusal that depends on a unit whose writes were undone is decided again', async () => {
    const unique = aDue('taken');
    await database().transaction((unit) => unit.insert('due', [unique]));
    const [guilty, careful] = await Promise.allSettled([
      database().transaction(async (unit) => {
        await unit.insert('messages', [aMessage({ id: 'first', idempotencyKey: 'key' })]);
        await unit.insert('due', [unique]);
      }),
      database().transaction(async (unit) => {
        if (await unit.has('messages', { namespace: every, idempotencyKey: 'key' })) throw new Error('exists');
        await unit.insert('messages', [aMessage({ id: 'second', idempotencyKey: 'key' })]);
      }),
    ]);
    expect([guilty.status, careful.status]).toEqual(['rejected', 'fulfilled']);
    expect(pluck(await database().rows('messages', { namespace: every }, all), 'id')).toEqual(['second']);
  });
}
