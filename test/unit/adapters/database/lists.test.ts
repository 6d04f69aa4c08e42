import { afterEach, describe, expect, it } from 'vitest';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sqliteDialect } from '../../../../src/adapters/database/dialect/sqlite.js';
import { postgresDialect } from '../../../../src/adapters/database/dialect/postgres.js';
import { createKnexDatabase } from '../../../../src/adapters/database/knex.js';
import { type Limited, oneAtATime, type SerialReads } from '../../../../src/adapters/database/lists/limited.js';
import { createLists } from '../../../../src/adapters/database/lists/sliced.js';
import { createResidentStore } from '../../../../src/adapters/database/resident/store.js';
import { openSqlite } from '../../../../src/adapters/database/sqlite.js';
import { plain } from '../../../../src/adapters/database/statements/statement.js';
import { createSilentLog } from '../../../../src/adapters/log/silent.js';
import type { ListQuery } from '../../../../src/ports/database.js';
import { below, every } from '../../../../src/ports/tables/where.js';
import { type Condition, equal, type Sort, undecidedRank } from '../../../../src/wire/lists/query.js';
import { aDue, aMessage, pluck } from '../../../compliance/database/rows.js';
import { openNewDatabase } from './new-database.js';

const endings: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

/** Opens a database with 57 rows, some of them removed, and a connection to it with limits. */
async function openFilled() {
  const directory = await mkdtemp(join(tmpdir(), 'lists-'));
  endings.push(() => rm(directory, { recursive: true }));
  const file = join(directory, 'node.sqlite');
  const database = await createKnexDatabase({ file, log: createSilentLog(), residences: {} });
  const rows = Array.from({ length: 57 }, (_, index) => ({
    ...aDue(`context ${String((index * 7) % 57).padStart(2, '0')}`),
    namespace: index % 3 === 0 ? 'third' : 'other',
  }));
  await database.transaction((unit) => unit.insert('due', rows));
  await database.transaction((unit) => unit.remove('due', { sequence: below(5) }));
  await database.close();
  const sqlite = await openSqlite({ file, log: createSilentLog(), onDamage: () => undefined });
  endings.push(() => sqlite.close());
  return { sqlite, limited: await sqlite.openLimited() };
}

/** Reads as if no index was usable. */
const never: SerialReads = { rows: async () => undefined };

/** Returns lists that are read in slices through one connection. */
function listsIn(limited: Limited, firstRows: number, onSlice: () => void) {
  const slow: Limited = {
    rows(statement, limit) {
      onSlice();
      return limited.rows(statement, limit);
    },
  };
  const resident = createResidentStore({}).committed;
  return createLists({ dialect: sqliteDialect, resident, quick: never, slow: oneAtATime(slow), firstRows });
}

const sorts: Readonly<Record<string, readonly Sort[]>> = {
  'oldest first': [{ field: 'sequence' }],
  'newest first': [{ field: 'sequence', descending: true }],
  'by a field': [{ field: 'context' }],
  'by a field, backwards': [{ field: 'context', descending: true }],
};

describe('a list without a suitable index', () => {
  it.each(Object.entries(sorts))('has the same rows in slices as in one read: %s', async (_, sort) => {
    const { sqlite, limited } = await openFilled();
    let slices = 0;
    const lists = listsIn(limited, 4, () => (slices += 1));
    for (const [skip, limit] of [
      [0, 3],
      [2, 10],
      [20, 100],
      [100, 5],
      [0, 0],
    ] as const) {
      const query: ListQuery = { namespace: 'other', where: [], sort, skip, limit };
      const atOnce = await sqlite.reader.rows(sqliteDialect.find('due', query));
      expect(await lists.find('due', query)).toEqual(sqliteDialect.found('due', atOnce));
    }
    expect(slices).toBeGreaterThan(10);
    const where = [equal('namespace', 'third')];
    expect(await lists.count('due', { namespace: every, where })).toBe(17);
  });

  it('reads no further than its page if it has the order of the slices', async () => {
    const { limited } = await openFilled();
    let slices = 0;
    const lists = listsIn(limited, 10, () => (slices += 1));
    const sort = sorts['newest first'] ?? [];
    await lists.find('due', { namespace: every, where: [], sort, limit: 5 });
    // The ends of the table, and one slice.
    expect(slices).toBe(2);
  });

  it('ends with the reason of its signal, before the next slice', async () => {
    const { limited } = await openFilled();
    const left = new AbortController();
    let slices = 0;
    const lists = listsIn(limited, 1, () => {
      slices += 1;
      if (slices === 3) left.abort('left');
    });
    const query: ListQuery = { namespace: 'other', where: [], sort: sorts['by a field'] ?? [], limit: 50 };
    await expect(lists.find('due', query, left.signal)).rejects.toBe('left');
    expect(slices).toBe(3);
    await expect(lists.find('due', query, left.signal)).rejects.toBe('left');
    await expect(lists.count('due', query, left.signal)).rejects.toBe('left');
    expect(slices).toBe(3);
  });
});

describe('a list whose rows are decided meanwhile', () => {
  const ids = Array.from({ length: 9 }, (_, index) => `${index}`);
  const byTopic: Condition = { field: 'topics', is: 'has', of: equal('value', 'orders') };
  const byAuthor: Condition = { field: 'author', is: 'in', values: ['a', 'b'] };
  const filters: readonly (readonly [string, Condition])[] = [
    ['topic', byTopic],
    ['author', byAuthor],
  ];

  /** Opens a database of nine undecided messages; the oldest is decided after each statement of a list. */
  async function openDeciding() {
    const sqlite = await openNewDatabase();
    endings.push(() => sqlite.close());
    const rows = ids.map((id, index) => ({
      ...aMessage({ id, author: index % 2 === 0 ? 'a' : 'b', topics: ['orders'], rank: `${undecidedRank}${id}` }),
      sequence: index + 1,
    }));
    const names = Object.keys(rows[0] ?? {});
    const inserts = sqliteDialect.writes({ table: 'messages', mode: 'insert', names, rows });
    for (const insert of inserts) await sqlite.writer.change(insert);
    let decided = 0;
    const deciding = (limited: Limited): Limited => ({
      async rows(statement, limit) {
        const answer = await limited.rows(statement, limit);
        decided += 1;
        const selection = { namespace: every, where: [equal('sequence', decided)] } as const;
        await sqlite.writer.change(sqliteDialect.update('messages', selection, { rank: '2026-01-15T10:00:00Z' }));
        return answer;
      },
    });
    const [quick, slow] = [await sqlite.openLimited(), await sqlite.openLimited()].map(deciding);
    if (quick === undefined || slow === undefined) throw new Error('Two connections were opened');
    return { quick: oneAtATime(quick), slow: oneAtATime(slow) };
  }

  const listsOn = (turns: { readonly quick: SerialReads; readonly slow: SerialReads }) =>
    createLists({ dialect: sqliteDialect, resident: createResidentStore({}).committed, firstRows: 2, ...turns });

  it.each(filters)('contains each of them exactly once, by %s', async (_, filter) => {
    const query: ListQuery = {
      namespace: every,
      where: [filter],
      sort: [{ field: 'rank', descending: true }],
      limit: 25,
    };
    const found = await listsOn(await openDeciding()).find('messages', query);
    expect(pluck(found, 'id').sort()).toEqual(ids);
    const slices = await listsOn({ ...(await openDeciding()), quick: never }).find('messages', query);
    expect(pluck(slices, 'id').sort()).toEqual(ids);
  });

  it.each(filters)('counts each of them once, by %s', async (_, filter) => {
    const selection = { namespace: every, where: [filter] } as const;
    expect(await listsOn(await openDeciding()).count('messages', selection)).toBe(9);
    expect(await listsOn({ ...(await openDeciding()), quick: never }).count('messages', selection)).toBe(9);
  });
});

const endless = plain('with recursive n(i) as (select 1 union all select i + 1 from n) select max(i) as m from n');

describe('a connection with limits', () => {
  it('ends a statement after its time, or when no caller waits for it, and continues', async () => {
    const { limited } = await openFilled();
    expect(await limited.rows(endless, { ms: 20, signal: undefined })).toBeUndefined();
    const left = new AbortController();
    const answer = limited.rows(endless, { ms: 600_000, signal: left.signal });
    left.abort('left');
    expect(await answer).toBeUndefined();
    expect(await limited.rows(plain('select 1 as one'), { ms: 600_000, signal: undefined })).toEqual([{ one: 1 }]);
  });

  it('runs one statement after the other, and passes an error only to its caller', async () => {
    const { limited } = await openFilled();
    let running = 0;
    const turns = oneAtATime({
      async rows(statement, limit) {
        expect((running += 1)).toBe(1);
        try {
          return await limited.rows(statement, limit);
        } finally {
          running -= 1;
        }
      },
    });
    const limit = { ms: 600_000, signal: undefined };
    const answers = [plain('select 1 as one'), plain('no sql'), plain('select 2 as two')].map((each) =>
      turns.rows(each, limit),
    );
    expect((await Promise.allSettled(answers)).map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
  });
});

it('a slice is read only by sequences, whatever index fits the order', async () => {
  const { sqlite } = await openFilled();
  const sort: readonly Sort[] = [{ field: 'rank', descending: true }];
  const query: ListQuery = { namespace: 'default', where: [equal('author', 'a')], sort, limit: 25 };
  const { sql, bindings } = sqliteDialect.select('messages', query, { from: 1, to: 9 });
  const plan = await sqlite.reader.rows({ method: 'select', sql: `explain query plan ${sql}`, bindings });
  expect(plan.map(({ detail }) => detail)).toContain('SEARCH messages USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)');
  expect(postgresDialect.select('messages', query, { from: 1, to: 9 })).toMatchObject({
    sql: expect.stringContaining('between ? and ? offset 0) as "messages" where "namespace" = ?'),
    bindings: [1, 9, 'default', 'a', 25, 0],
  });
});
