import { readdir, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { openSqlite } from '../../../../src/adapters/database/sqlite.js';
import { plain } from '../../../../src/adapters/database/statements/statement.js';
import { createArmedFailpoint } from '../../../../src/adapters/failpoint/armed.js';
import { createSilentLog } from '../../../../src/adapters/log/silent.js';
import { createPrometheusMetrics } from '../../../../src/adapters/metrics/prometheus.js';
import { databaseForm } from '../../../../src/ports/database-form.js';
import { ConflictError, type Database } from '../../../../src/ports/database.js';
import { every } from '../../../../src/ports/tables/where.js';
import { readForm } from '../../../../src/stack/snapshot/database.js';
import { aDue, aMessage, aPin, all, anOperation, pluck } from '../../../compliance/database/rows.js';
import { useDatabaseFile } from './database-file.js';

const place = useDatabaseFile();
const { open } = place;

describe('opening', () => {
  it('a database in use is refused with a clear message, and is free after it is closed', async () => {
    const first = await open();
    await expect(open()).rejects.toThrow('in use by another process');
    await first.transaction((unit) => unit.insert('due', [aDue('a')]));
    await first.close();
    expect(await (await open()).count('due', {})).toBe(1);
  });

  it('a database that a newer program wrote is refused and left unchanged', async () => {
    await (await open()).close();
    const sqlite = await openSqlite({ file: place.file(), log: createSilentLog(), onDamage: () => undefined });
    await sqlite.writer.rows(plain(`insert into "migrations" values (99, 'from the future')`));
    await sqlite.close();
    await expect(open()).rejects.toThrow(/form 99.*newer/);
    await expect(open()).rejects.toThrow(/form 99.*newer/);
  });

  it('a file that is not a database is refused', async () => {
    await writeFile(place.file(), 'This is a letter, and a long one, to whom it may concern. '.repeat(100));
    await expect(open()).rejects.toThrow('SQLITE_NOTADB');
  });

  it.each(['migrate.mid', 'migrate.after'])('a first start that fails at %s is completed by the next', async (name) => {
    await expect(open({ failpoint: createArmedFailpoint(`${name}:1:error`) })).rejects.toThrow(name);
    const database = await open();
    await database.transaction((unit) => unit.insert('messages', [aMessage()]));
    expect(await database.count('messages', { namespace: every })).toBe(1);
  });

  it('reading the form of a closed database keeps its mark of a clean close', async () => {
    await (await open()).close();
    const before = await readdir(place.directory());
    expect(await readForm(place.file())).toBe(databaseForm);
    expect(await readdir(place.directory())).toEqual(before);
    expect((await open()).mayBeEdited).toBe(false);
  });

  it('every commit is synced', async () => {
    const sqlite = await openSqlite({ file: place.file(), log: createSilentLog(), onDamage: () => undefined });
    const [mode] = await sqlite.writer.rows(plain('pragma journal_mode'));
    const [synchronous] = await sqlite.writer.rows(plain('pragma synchronous'));
    expect([mode, synchronous]).toEqual([{ journal_mode: 'wal' }, { synchronous: 2 }]);
    const [commits] = await sqlite.writer.rows(plain('pragma fullfsync'));
    const [checkpoints] = await sqlite.writer.rows(plain('pragma checkpoint_fullfsync'));
    expect([commits, checkpoints]).toEqual([{ fullfsync: 1 }, { checkpoint_fullfsync: 1 }]);
    await expect(sqlite.reader.rows(plain('create table "t" ("a")'))).rejects.toThrow('SQLITE_READONLY');
    await sqlite.close();
  });
});

describe('group commit', () => {
  const insertMany = (database: Database, count: number) =>
    Promise.all(
      Array.from({ length: count }, (_, i) => database.transaction((unit) => unit.insert('due', [aDue(`${i}`)]))),
    );

  it('a commit of several tables that fails at its end is undone as a whole, and the next one succeeds', async () => {
    const database = await open({ residences: {} });
    await database.transaction((unit) => unit.insert('due', [aDue('taken')]));
    const both = (context: string) =>
      database.transaction(async (unit) => {
        await unit.insert('messages', [aMessage({ id: context })]);
        await unit.insert('due', [aDue(context)]);
      });
    await expect(both('taken')).rejects.toBeInstanceOf(ConflictError);
    await both('free');
    expect(pluck(await database.rows('messages', { namespace: every }, all), 'id')).toEqual(['free']);
  });

  it('a row that was put in vain, at a key that no row in memory has, is no conflict for a later one', async () => {
    const residence = { open: { column: 'state', values: ['ready'] }, maxOpen: 100, maxRecent: 0 } as const;
    const database = await open({ residences: { messages: residence } });
    const old = aMessage({ id: 'old', state: 'rejected', idempotencyKey: 'taken' });
    await database.transaction((unit) => unit.insert('messages', [old]));
    await database.transaction(async (unit) => {
      await unit.put('messages', [aMessage({ id: 'new', state: 'ready', idempotencyKey: 'taken' })]);
      await unit.insert('messages', [aMessage({ id: 'new', namespace: 'trade', state: 'ready' })]);
    });
    expect(pluck(await database.rows('messages', { namespace: every }, all), 'namespace')).toEqual([
      'default',
      'trade',
    ]);
  });

  it('units that wait at the same time share a commit, at most two hundred', async () => {
    const metrics = createPrometheusMetrics();
    const database = await open({ metrics });
    await insertMany(database, 900);
    const text = await metrics.text();
    expect(text).toContain('parley_database_commits_total 5\n');
    expect(text).toContain('parley_database_units_total 900\n');
    expect(text).toContain('parley_database_rows_written_total 900\n');
  });

  it('a commit that fails is retried unit by unit, and no unit is lost or duplicated', async () => {
    const database = await open({ failpoint: createArmedFailpoint('database.before-commit:1:error') });
    let runs = 0;
    const endings = await Promise.allSettled(
      ['a', 'b', 'c'].map((context) =>
        database.transaction(async (unit) => {
          runs += 1;
          await unit.insert('due', [aDue(context)]);
        }),
      ),
    );
    expect(endings.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled']);
    expect(runs).toBe(6);
    const rows = await database.rows('due', {}, all);
    expect(rows.map(({ sequence, context }) => `${sequence}${context}`)).toEqual(['1a', '2b', '3c']);
  });

  it('a commit that fails again rejects the only unit in it', async () => {
    const specification = [1, 2, 3].map((hit) => `database.before-commit:${hit}:error`).join(',');
    const database = await open({ failpoint: createArmedFailpoint(specification) });
    const endings = await Promise.allSettled(
      ['a', 'b', 'c'].map((context) => database.transaction((unit) => unit.insert('due', [aDue(context)]))),
    );
    expect(endings.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
    expect(pluck(await database.rows('due', {}, all), 'context')).toEqual(['c']);
  });

  it('an error after the commit undoes nothing', async () => {
    const database = await open({ failpoint: createArmedFailpoint('database.after-commit:1:error') });
    const units = ['a', 'b'].map((context) => database.transaction((unit) => unit.insert('due', [aDue(context)])));
    const endings = await Promise.allSettled(units);
    expect(endings.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(pluck(await database.rows('due', {}, all), 'context')).toEqual(['a', 'b']);
  });

  it('no unit waits forever for a commit that ended in an unexpected way', async () => {
    let isBroken = false;
    const count = () => {
      if (isBroken) throw new Error('the meter is broken');
    };
    const database = await open({ metrics: { count, set: () => undefined, observe: () => undefined } });
    isBroken = true;
    const units = ['a', 'b'].map((context) => database.transaction((unit) => unit.insert('due', [aDue(context)])));
    const endings = await Promise.allSettled(units);
    expect(endings.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    isBroken = false;
    await database.transaction((unit) => unit.insert('due', [aDue('c')]));
    expect(pluck(await database.rows('due', {}, all), 'context')).toContain('c');
  });

  it('statements prepared in a rolled-back transaction are prepared again', async () => {
    const database = await open();
    await database.transaction((unit) => unit.insert('due', [aDue('taken')]));
    const write = (context: string) =>
      database.transaction(async (unit) => {
        await unit.insert('pins', [aPin({ context, index: context.length })]);
        await unit.count('pins', {});
        await unit.insert('messages', [aMessage({ id: context })]);
        await unit.insert('operations', [anOperation({ id: context })]);
        await unit.insert('due', [aDue(context)]);
      });
    await expect(write('taken')).rejects.toMatchObject({ table: 'due', columns: ['context'] });
    await write('free');
    for (const table of ['pins', 'messages', 'operations'] as const)
      expect(await database.count(table, { namespace: every })).toBe(1);
    expect(await database.count('due', {})).toBe(2);
  });

  it('a lookup of an unknown key keeps the rows of earlier units in one statement', async () => {
    const metrics = createPrometheusMetrics();
    const database = await open({ metrics });
    const found = await Promise.all(
      Array.from({ length: 100 }, (_, i) =>
        database.transaction(async (unit) => {
          const same = await unit.rows('messages', { namespace: every, idempotencyKey: `${i % 50}` }, all);
          if (same[0]) return same[0].id;
          await unit.insert('messages', [aMessage({ id: `${i}`, idempotencyKey: `${i % 50}` })]);
          return `${i}`;
        }),
      ),
    );
    expect(found).toEqual(Array.from({ length: 100 }, (_, i) => `${i % 50}`));
    expect(await metrics.text()).toContain('parley_database_commits_total 1\n');
  });
});
