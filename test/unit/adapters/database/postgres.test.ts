import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createPostgresDatabase, type ServerDatabase } from '../../../../src/adapters/database/postgres.js';
import { connectionOn } from '../../../../src/adapters/database/postgres/connection.js';
import { limitedOn } from '../../../../src/adapters/database/postgres/limited.js';
import { createLink } from '../../../../src/adapters/database/postgres/link.js';
import { openReader } from '../../../../src/adapters/database/postgres/open.js';
import { plain } from '../../../../src/adapters/database/statements/statement.js';
import { createSilentLog } from '../../../../src/adapters/log/silent.js';
import { databaseForm } from '../../../../src/ports/database-form.js';
import { parsePostgresAddress } from '../../../../src/postgres/address.js';
import { aDue, all, pluck } from '../../../compliance/database/rows.js';
import { ForeignDatabase, isDiskFull, LostConnection } from '../../../../src/wire/errors/disk.js';
import { eventually } from '../../../support/eventually.js';
import { hasNoPostgres, type PostgresServer, startPostgres } from '../../../support/postgres.js';

describe.skipIf(hasNoPostgres)('a database on a server (needs PostgreSQL)', () => {
  let running: PostgresServer | undefined;
  beforeAll(async () => {
    running = await startPostgres();
  }, 60_000);
  afterAll(() => running?.stop());

  const server = (): PostgresServer => {
    if (running === undefined) throw new Error('The server was not started');
    return running;
  };
  const place = (schema: string, owner = 'a/alice') => ({
    readAddress: async () => server().address(),
    schema,
    owner,
    log: createSilentLog(),
  });
  const reasonOf = (opening: Promise<ServerDatabase>) =>
    opening.then(
      async (database) => {
        await database.close();
        return 'opened';
      },
      (error: unknown) => (error instanceof Error && 'reason' in error ? error.reason : error),
    );

  it('a server that is killed and comes back loses and duplicates nothing that was answered', async () => {
    const database = await createPostgresDatabase(place('killed'));
    const answered: string[] = [];
    let isOver = false;
    const write = async (name: string): Promise<void> => {
      for (let i = 0; !isOver; i++) {
        const context = `${name} ${i}`;
        // A refused unit was not written; one that was written without an answer is found by its number.
        const isDone = await database
          .transaction((unit) => unit.insert('due', [aDue(context)]))
          .then(
            () => true,
            () => false,
          );
        if (isDone) answered.push(context);
      }
    };
    const writers = ['a', 'b', 'c'].map(write);
    for (let kills = 1; kills <= 3; kills++) {
      const before = answered.length;
      await eventually(() => expect(answered.length).toBeGreaterThan(before + 20));
      await server().kill();
      await eventually(() => expect(database.problem()).toBeDefined());
      await server().start();
    }
    const before = answered.length;
    await eventually(() => expect(answered.length).toBeGreaterThan(before + 20));
    isOver = true;
    await Promise.all(writers);
    // Connections for reads may come back after the one that writes.
    await eventually(() => expect(database.problem()).toBeUndefined());
    const rows = await database.rows('due', {}, all);
    expect(pluck(rows, 'context').sort()).toEqual([...answered].sort());
    await database.close();
    const again = await createPostgresDatabase(place('killed'));
    expect(pluck(await again.rows('due', {}, all), 'context').sort()).toEqual([...answered].sort());
    await again.close();
  }, 120_000);

  it('a statement ends after its time, or when no caller waits for it, and the next one is not affected', async () => {
    const parts = place('limited');
    const link = await createLink({ open: () => openReader(parts), log: parts.log, onForeign: () => undefined });
    const aside = await createLink({ open: () => openReader(parts), log: parts.log, onForeign: () => undefined });
    onTestFinished(async () => void (await Promise.all([link.close(), aside.close()])));
    const listeners = { onStatement: () => undefined, onFatal: () => undefined };
    const limited = limitedOn(link, {
      connection: connectionOn(link, listeners),
      aside: connectionOn(aside, listeners),
    });
    const long = plain('select pg_sleep(600)');
    const short = () => limited.rows(plain('select 1 as one'), { ms: 600_000, signal: undefined });
    expect(await limited.rows(long, { ms: 20, signal: undefined })).toBeUndefined();
    expect(await short()).toEqual([{ one: 1 }]);
    for (const afterMs of [0, 1, 5, 200]) {
      const left = AbortSignal.timeout(afterMs);
      expect(await limited.rows(long, { ms: 600_000, signal: left })).toBeUndefined();
      expect(await short()).toEqual([{ one: 1 }]);
    }
  });

  it('a session that the server ends is opened again, and reads and units wait for it', async () => {
    const database = await createPostgresDatabase(place('ended'));
    await database.transaction((unit) => unit.insert('due', [aDue('a')]));
    await server().ask(`select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()`);
    const [count] = await Promise.all([
      database.count('due', {}),
      database.transaction((unit) => unit.insert('messages', [])),
      database.transaction((unit) => unit.insert('due', [aDue('b')])),
    ]);
    expect(count).toBeGreaterThan(0);
    expect(pluck(await database.rows('due', {}, all), 'context')).toEqual(['a', 'b']);
    await database.close();
  });

  it('a server that becomes read-only is reported as such, and units are refused until it accepts writes', async () => {
    const database = await createPostgresDatabase(place('full'));
    const add = (context: string) => database.transaction((unit) => unit.insert('due', [aDue(context)]));
    const isReadOnly = async (value: string) => {
      await server().ask(`alter system set default_transaction_read_only = ${value}`);
      await server().ask('select pg_reload_conf()');
    };
    onTestFinished(() => isReadOnly('off'));
    await isReadOnly('on');
    // The server reads its settings later: until then a row is accepted, and the next must be another.
    let tries = 0;
    await eventually(() => expect(add(`a${(tries += 1)}`)).rejects.toBeInstanceOf(LostConnection));
    await eventually(() => expect(database.problem()).toContain('is read-only'));
    await isReadOnly('off');
    await eventually(() => expect(database.problem()).toBeUndefined());
    await add('z');
    expect(pluck(await database.rows('due', {}, all), 'context')).toContain('z');
    await database.close();
  });

  it('a server without disk space is reported as such, until a unit is written again', async () => {
    const database = await createPostgresDatabase(place('full_disk'));
    const insert = (context: string) => database.transaction((unit) => unit.insert('due', [aDue(context)]));
    const refuse = `create function full_disk.refuse() returns trigger language plpgsql as
      $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$`;
    await server().ask(refuse);
    await server().ask('create trigger refuse before insert on full_disk.due execute function full_disk.refuse()');
    expect(isDiskFull(await insert('a').catch((error: unknown) => error))).toBe(true);
    expect(database.problem()).toBe('its disk is full');
    await server().ask('drop trigger refuse on full_disk.due');
    await insert('b');
    expect(database.problem()).toBeUndefined();
    expect(pluck(await database.rows('due', {}, all), 'context')).toEqual(['b']);
    await database.close();
  });

  it('a user that loses its right to a table gets that error, and has its rows again with the right', async () => {
    await server().ask(`create role "tenant" login password 'tenant'; grant create on database postgres to "tenant"`);
    const tenant = {
      ...place('rights'),
      readAddress: async () => parsePostgresAddress(server().url('postgres', 'tenant:tenant')),
    };
    const database = await createPostgresDatabase(tenant);
    await server().ask('alter table "rights"."due" owner to "parley"');
    const adding = database.transaction((unit) => unit.insert('due', [aDue('a')]));
    await expect(adding).rejects.toBeInstanceOf(LostConnection);
    await eventually(() => expect(database.problem()).toContain('may not read and write the table due'));
    expect(await reasonOf(createPostgresDatabase({ ...tenant, schema: 'rights' }))).toBe('refused');
    await server().ask('alter table "rights"."due" owner to "tenant"');
    await eventually(() => expect(database.problem()).toBeUndefined());
    await database.transaction((unit) => unit.insert('due', [aDue('b')]));
    await database.close();
  });

  it('a server without free connections, or without the right to connect, is not reported as silent', async () => {
    await server().ask(`create role "late" login password 'late' connection limit 0`);
    const late = {
      ...place('late'),
      readAddress: async () => parsePostgresAddress(server().url('postgres', 'late:late')),
    };
    await expect(createPostgresDatabase(late)).rejects.toThrow('has no connection left for the user late');
    await server().ask('create database "closed"');
    await server().ask('revoke connect on database "closed" from public');
    await server().ask(`alter role "late" connection limit -1`);
    const closed = { ...late, readAddress: async () => parsePostgresAddress(server().url('closed', 'late:late')) };
    await expect(createPostgresDatabase(closed)).rejects.toThrow('may not connect to the database closed');
  });

  it('a password that is renewed in the file is used for the next connection, without a restart', async () => {
    await server().ask(`create role "renewed" login password 'old'; grant create on database postgres to "renewed"`);
    let text = server().url('postgres', 'renewed:old');
    const readAddress = async () => parsePostgresAddress(text);
    const database = await createPostgresDatabase({ ...place('renewed'), readAddress });
    await server().ask(`alter role "renewed" password 'new'`);
    await server().ask(`select pg_terminate_backend(pid) from pg_stat_activity where usename = 'renewed'`);
    await eventually(() => expect(database.problem()).toContain('wrong password'));
    text = server().url('postgres', 'renewed:new');
    await eventually(() => expect(database.problem()).toBeUndefined());
    await database.transaction((unit) => unit.insert('due', [aDue('a')]));
    await database.close();
  });

  it('a new address of another database ends the process, and creates no tables there', async () => {
    await server().ask('create database "elsewhere"');
    const fatal: Error[] = [];
    let name = 'postgres';
    const readAddress = async () => server().address(name);
    const parts = { ...place('moved'), readAddress, onFatal: (error: Error) => fatal.push(error) };
    const database = await createPostgresDatabase(parts);
    name = 'elsewhere';
    await server().ask(`select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()`);
    await eventually(() =>
      expect(fatal.map(String)).toEqual([expect.stringContaining('no longer has the tables of this node')]),
    );
    const there = await server().ask(`select 1 from pg_namespace where nspname = 'moved'`, 'elsewhere');
    expect(there).toEqual([]);
    await database.close();
  });

  it('concurrent reads run one after the other, as the driver requires', async () => {
    const database = await createPostgresDatabase(place('together'));
    const warnings: string[] = [];
    const listen = ({ message }: Error): void => void warnings.push(message);
    process.on('warning', listen);
    const counts = await Promise.all(Array.from({ length: 9 }, () => database.count('blobs', {})));
    // Warnings are emitted in a later turn.
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', listen);
    expect([counts, warnings]).toEqual([new Array(9).fill(0), []]);
    await database.close();
  });

  it('a schema belongs to one process at a time, and to one node permanently', async () => {
    const database = await createPostgresDatabase(place('shared'));
    expect(await reasonOf(createPostgresDatabase(place('shared')))).toBe('in_use');
    await database.close();
    expect(await reasonOf(createPostgresDatabase(place('shared', 'a/bob')))).toBe('foreign');
    expect(await reasonOf(createPostgresDatabase(place('shared')))).toBe('opened');
  });

  it.each([
    ['its row was written by others', (schema: string) => `update "${schema}"."node" set "number" = "number" + 1`, 0],
    [
      'its row was written by others while it was away',
      (schema: string) => `update "${schema}"."node" set "number" = 7`,
      1,
    ],
    ['its schema is gone', (schema: string) => `drop schema "${schema}" cascade`, 2],
  ] as const)('a database ends its process when %s', async (_, change, index) => {
    const fatal: Error[] = [];
    const schema = `foreign${index}`;
    const database = await createPostgresDatabase({ ...place(schema), onFatal: (error) => fatal.push(error) });
    await database.transaction((unit) => unit.insert('due', [aDue('a')]));
    await server().ask(change(schema));
    if (index === 1)
      await server().ask(`select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()`);
    const write = database.transaction((unit) => unit.insert('due', [aDue('b')]));
    await expect(write).rejects.toBeInstanceOf(ForeignDatabase);
    expect(fatal).toEqual([expect.any(ForeignDatabase)]);
    await database.close();
  });

  it('what cannot be used is refused before anything is written', async () => {
    await server().ask('create schema "others"; create table "others"."orders" ("id" integer)');
    expect(await reasonOf(createPostgresDatabase(place('others')))).toBe('foreign');
    expect(await reasonOf(createPostgresDatabase(place('newer')))).toBe('opened');
    await server().ask(`insert into "newer"."migrations" values (${databaseForm + 1}, 'later')`);
    expect(await reasonOf(createPostgresDatabase(place('newer')))).toBe('foreign');
    await server().ask(`create role "guest" login password 'guest'`);
    const as = (url: string) => ({ ...place('refused'), readAddress: async () => parsePostgresAddress(url) });
    const refused = [
      [server().url('postgres', 'guest:guest'), 'refused'],
      [server().url('postgres', 'parley:wrong'), 'refused'],
      [server().url('nothing'), 'unsuitable'],
      ['postgres://parley:x@127.0.0.1:9/postgres', 'unreachable'],
    ] as const;
    for (const [url, reason] of refused) expect(await reasonOf(createPostgresDatabase(as(url)))).toBe(reason);
    await server().ask(`create database "latin" encoding 'SQL_ASCII' template template0`);
    expect(await reasonOf(createPostgresDatabase(as(server().url('latin'))))).toBe('unsuitable');
    const [found] = await server().ask(`select count(*)::int as n from pg_namespace where nspname = 'refused'`);
    expect(found).toEqual({ n: 0 });
  });
});
