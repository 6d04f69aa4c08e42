import { rm } from 'node:fs/promises';
import { describe, expect, it, vi } from 'vitest';
import { createManualClock } from '../../../../src/adapters/clock/manual.js';
import { migrations } from '../../../../src/adapters/database/migrate.js';
import { openSqlite } from '../../../../src/adapters/database/sqlite.js';
import { plain } from '../../../../src/adapters/database/statements/statement.js';
import { createArmedFailpoint } from '../../../../src/adapters/failpoint/armed.js';
import { createSilentLog } from '../../../../src/adapters/log/silent.js';
import { firstRules } from '../../../../src/domain/network/network-rules.js';
import { createRulebook } from '../../../../src/pipeline/state/rulebook.js';
import { databaseForm } from '../../../../src/ports/database-form.js';
import type { NewRow } from '../../../../src/ports/tables/tables.js';
import { every } from '../../../../src/ports/tables/where.js';
import { readForm } from '../../../../src/stack/snapshot/database.js';
import { aMessage, all, pluck } from '../../../compliance/database/rows.js';
import { aPool } from '../../../support/token-rows.js';
import { useDatabaseFile } from './database-file.js';

const place = useDatabaseFile();
const { open } = place;

/** Creates a database in an older format, after these statements, with these messages. */
async function beginAt(
  form: number,
  statements: readonly string[],
  messages: readonly NewRow<'messages'>[] = [],
): Promise<void> {
  const sqlite = await openSqlite({ file: place.file(), log: createSilentLog(), onDamage: () => undefined });
  for (const statement of [
    'create table "migrations" ("number" integer primary key, "name" text not null) strict',
    ...migrations
      .slice(0, form)
      .flatMap(({ number, name, onSqlite = [], statements: own }) => [
        ...onSqlite,
        ...own,
        `insert into "migrations" values (${number}, '${name}')`,
      ]),
    ...statements,
  ]) {
    await sqlite.writer.rows(plain(statement));
  }
  const columns = (await sqlite.writer.rows(plain('pragma table_info("messages")'))).map(({ name }) => name);
  for (const row of messages) {
    const known = Object.entries(row).filter(([name]) => columns.includes(name));
    await sqlite.writer.rows(plain(insertOf('messages', Object.fromEntries(known))));
  }
  await sqlite.close();
}

/** Returns a statement that inserts a row with the values of a table's columns. */
function insertOf(table: string, row: object): string {
  const values = Object.values(row).map((value: unknown) => {
    if (value === null || typeof value === 'number') return String(value);
    if (typeof value === 'boolean') return value ? '1' : '0';
    return `'${typeof value === 'string' ? value : JSON.stringify(value)}'`;
  });
  return `insert into "${table}" ("${Object.keys(row).join('","')}") values (${values.join(',')})`;
}

/** Returns SQLite's types of the values in a column of the messages. */
async function keptTypes(column: string): Promise<readonly unknown[]> {
  const sqlite = await openSqlite({ file: place.file(), log: createSilentLog(), onDamage: () => undefined });
  const kept = await sqlite.reader.rows(
    plain(`select typeof("${column}") as "type" from "messages" order by "sequence"`),
  );
  await sqlite.close();
  return pluck(kept, 'type');
}

describe('migrating', () => {
  it('a database in an older format keeps it if its migration fails', async () => {
    await beginAt(4, []);
    await expect(open({ failpoint: createArmedFailpoint('migrate.mid:2:error') })).rejects.toThrow('migrate.mid');
    expect(await readForm(place.file())).toBe(4);
    await (await open()).close();
    expect(await readForm(place.file())).toBe(databaseForm);
  });

  it('a database in an older format keeps it if no newer one is requested, and a new one is created', async () => {
    await (await open({ mayReach: databaseForm - 1 })).close();
    expect(await readForm(place.file())).toBe(databaseForm);
    await rm(place.file());
    await beginAt(4, []);
    await expect(open({ mayReach: databaseForm - 1 })).rejects.toThrow('stack upgrade');
    expect(await readForm(place.file())).toBe(4);
    await (await open({ mayReach: databaseForm })).close();
    expect(await readForm(place.file())).toBe(databaseForm);
  });

  it('a database of a node that has read its chain gets the limits that it read there', async () => {
    await beginAt(4, [
      `insert into "cursors" ("namespace", "source", "genesisHash", "contract", "block", "blockHash")
        values ('svc_system', 'network', '1', '0xc', 9, '2')`,
    ]);
    expect(await createRulebook(createManualClock()).find(await open())).toEqual(firstRules);
  });

  it('a database with rejected messages gets their times in a separate column', async () => {
    const when = '2026-01-15T10:00:00.000Z';
    const states = ['ready', 'confirmed', 'rejected'] as const;
    const messages = states.map((state) => aMessage({ id: state, state, confirmed: state === 'ready' ? null : when }));
    await beginAt(6, [], messages);
    const rows = await (await open()).rows('messages', { namespace: every }, all);
    expect(rows.map(({ confirmed, rejected }) => [confirmed, rejected])).toEqual([
      [null, null],
      [when, null],
      [null, when],
    ]);
  });

  it('ids in an older format are bytes afterwards, with the same values', async () => {
    const uuid = '3fa85f64-5717-4562-b3fc-2c963f66afa6';
    const cids = [
      uuid,
      uuid.toUpperCase(),
      uuid.replaceAll('-', ''),
      'ab'.repeat(32),
      `0x${'cd'.repeat(20)}`,
      '',
      null,
    ];
    const messages = cids.map((cid, i) => aMessage({ id: `${i}`, cid }));
    await beginAt(11, [], messages);
    const database = await open();
    const rows = await database.rows('messages', { namespace: every }, all);
    expect(rows).toEqual(messages.map((message, i) => ({ ...message, sequence: i + 1 })));
    await database.close();
    expect(await keptTypes('cid')).toEqual(['blob', 'text', 'text', 'blob', 'blob', 'text', 'null']);
  });

  it('times in an older format are numbers afterwards, with the same values', async () => {
    const created = [
      '2026-01-15T10:00:00.007Z',
      '0001-01-01T00:00:00.000Z',
      '2024-02-29T23:59:59.999Z',
      '2025-02-29T00:00:00.000Z',
      '2026-01-15T24:00:00.000Z',
      '2026-01-15T10:00:00Z',
      '2026-01-15T10:00:00.007z',
      '',
    ];
    const messages = created.map((time, i) => aMessage({ id: `${i}`, created: time, rank: `~${time}` }));
    await beginAt(12, [], messages);
    const database = await open();
    const rows = await database.rows('messages', { namespace: every }, all);
    expect(rows).toEqual(messages.map((message, i) => ({ ...message, sequence: i + 1 })));
    await database.close();
    expect(await keptTypes('created')).toEqual([...Array<string>(3).fill('integer'), ...Array<string>(5).fill('text')]);
    expect(new Set(await keptTypes('rank'))).toEqual(new Set(['text']));
  });

  it('subscriptions in an older format have no creator', async () => {
    const row = { namespace: 'default', id: 'a', name: 'app', transport: 'webhooks', filter: '{}', options: '{}' };
    const times = { cursor: 7, created: '2026-01-15T10:00:00.000Z', updated: null };
    await beginAt(13, [insertOf('subscriptions', { ...row, ...times })]);
    const rows = await (await open()).rows('subscriptions', { namespace: every }, all);
    expect(rows).toEqual([{ ...row, ...times, sequence: 1, maker: null }]);
  });

  it('only pools over plain contracts request the senders of transactions', async () => {
    const schemas = ['ERC20NoData', 'ERC721NoData', 'ERC20WithData'];
    const pools = schemas.map((schema, at) => {
      const locator = `address=0xc&type=fungible&schema=${schema}&block=7`;
      return aPool(at, 'fungible', { id: schema, connector: 'erc20_erc721', locator });
    });
    const source = { namespace: 'default', address: '0xc', topics: [], withInput: false };
    const sources = [...schemas, 'elsewhere'].map((subject) => ({ ...source, kind: 'pool', subject }));
    const listener = { ...source, kind: 'listener', subject: 'ERC20NoData' };
    await beginAt(14, [
      ...pools.map((row) => insertOf('pools', row)),
      ...[...sources, listener].map((row) => insertOf('sources', row)),
    ]);
    const rows = await (await open()).rows('sources', { namespace: every }, all);
    expect(pluck(rows, 'withInput')).toEqual([true, true, false, false, false]);
  });

  it('sequences continue after the highest that was ever used, also in a table that is recreated', async () => {
    await beginAt(11, [], [aMessage({ id: 'a' }), aMessage({ id: 'b' })]);
    const sqlite = await openSqlite({ file: place.file(), log: createSilentLog(), onDamage: () => undefined });
    await sqlite.writer.rows(plain('delete from "messages" where "sequence" = 2'));
    await sqlite.close();
    const database = await open();
    await database.transaction((unit) => unit.insert('messages', [aMessage({ id: 'c' })]));
    expect(pluck(await database.rows('messages', { namespace: every }, all), 'sequence')).toEqual([1, 3]);
  });

  it('a long migration reports progress repeatedly', async () => {
    await beginAt(databaseForm - 1, []);
    const told: string[] = [];
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const failpoint = { reach: async () => void vi.advanceTimersByTime(11_000) };
    await open({ failpoint, tellProgress: (text) => told.push(text) });
    vi.useRealTimers();
    expect(told).toEqual(Array(2).fill(`begun to bring its database from form ${databaseForm - 1} to ${databaseForm}`));
  });

  it('a new database has no rules before it has read its chain', async () => {
    expect(await createRulebook(createManualClock()).find(await open())).toBeUndefined();
  });
});
