import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { freePortBase } from '../../support/port-base.js';
import { hasNoPostgres, type PostgresServer, startPostgres } from '../../support/postgres.js';
import { byCommand, createStackCli, type StackCli } from '../../e2e/fixtures/stack-cli.js';

describe.skipIf(hasNoPostgres)('a stack on PostgreSQL (needs PostgreSQL)', () => {
  let running: PostgresServer | undefined;
  beforeAll(async () => {
    running = await startPostgres();
  });
  afterAll(() => running?.stop());

  const server = (): PostgresServer => {
    if (running === undefined) throw new Error('The server was not started');
    return running;
  };
  const schemas = async () => {
    const rows = await server().ask(`select nspname from pg_namespace where nspname like 'dev\\_%' order by 1`);
    return rows.map(({ nspname }) => nspname);
  };

  /** Creates a stack of two parties with this database address. */
  async function aStack(url: string, { mode = 0o600 } = {}): Promise<StackCli> {
    const cli = createStackCli('default');
    onTestFinished(() => cli.remove());
    // With --force the schemas would stay.
    onTestFinished(async () => void (await cli.run(['remove', 'dev', '--yes'])));
    const file = join(cli.directory, 'database.url');
    await writeFile(file, `${url}\n`, { mode });
    const base = await freePortBase();
    await cli.ok('init', 'dev', '-n', '2', '-q', '--port-base', base, '--db', `postgres=file:${file}`);
    return cli;
  }

  test('works, has a schema for each party, and removes them', async () => {
    const cli = await aStack(server().url());
    expect(await cli.ok('config', 'validate', '--online', '-s', 'dev')).toContain('dev_alice, which is new');
    await cli.ok('start', 'dev', '-q');
    expect(await schemas()).toEqual(['dev_alice', 'dev_bob']);
    await cli.ok('broadcast', '{"hello":"world"}', '--wait', 'all');
    await cli.ok('send', '{"for":"you"}', '--to', 'bob', '--wait', 'all');
    expect(await cli.ends('snapshot', 'save', 'one')).toMatchObject({ code: 2 });
    await cli.ok('restart', 'dev', '-q');
    expect(await cli.ok('messages', 'list', '-p', 'bob', '-q')).not.toBe('');
    await cli.ok('reset', 'dev', '--yes');
    expect(await cli.ok('messages', 'list', '-p', 'bob', '--with-data', '--json')).not.toContain('hello');
    await cli.ok('broadcast', '{"again":"world"}', '--wait', 'all');
    await server().ask('create database elsewhere');
    const elsewhere = join(cli.directory, 'elsewhere.url');
    await writeFile(elsewhere, `${server().url('elsewhere')}\n`, { mode: 0o600 });
    await cli.ok('party', 'add', 'carol', '--database', `postgres=file:${elsewhere}`, '-q');
    await cli.ok('party', 'add', 'dave', '--database', 'sqlite3', '-q');
    await cli.ok('broadcast', '{"to":"four"}', '--wait', 'all');
    const there = `select nspname from pg_namespace where nspname like 'dev\\_%'`;
    expect(await server().ask(there, 'elsewhere')).toEqual([{ nspname: 'dev_carol' }]);
    expect(await schemas()).toEqual(['dev_alice', 'dev_bob']);
    await cli.ok('restart', 'dev', '-q');
    for (const party of ['carol', 'dave']) {
      expect(await cli.ok('messages', 'list', '-p', party, '--with-data', '--json')).toContain('{"to":"four"}');
    }
    await cli.ok('remove', 'dev', '--yes');
    expect(await schemas()).toEqual([]);
    expect(await server().ask(there, 'elsewhere')).toEqual([]);
  });

  test('loses, duplicates and delays nothing when the server is killed under load and comes back', async () => {
    const cli = await aStack(server().url());
    await cli.ok('start', 'dev', '-q');
    const load = cli.begin(['bench', 'broadcast', '--rate', '20/s', '--warmup', '1s', '--duration', '20s', '--json']);
    const rows = async () => Number((await server().ask('select count(*)::int as n from dev_bob.messages'))[0]?.['n']);
    await expect.poll(rows).toBeGreaterThan(50);
    await server().kill();
    const health = async () => (await cli.ends('status', 'dev')).said;
    await expect.poll(health, byCommand).toContain('does not answer');
    await server().start();
    const { out } = await load.ended;
    // Its figures do not count, since the server was away; the checker's verdict does.
    expect(JSON.parse(out)).toMatchObject({ verdict: 'ok' });
    await cli.ok('broadcast', '{"last":true}', '--wait', 'all', '--timeout', '1m');
    await expect.poll(health, byCommand).not.toContain('does not answer');
  });

  test.each([
    ['no server', () => 'postgres://parley:secret@127.0.0.1:9/postgres', 9, 'nothing answers'],
    ['a wrong password', () => server().url('postgres', 'parley:secret'), 9, 'wrong password'],
    ['another database', () => server().url('secret'), 9, 'has no database'],
    ['no address', () => 'secret', 9, 'must hold one address'],
  ])('says at once that it has %s, and writes nothing', async (_, url, code, sentence) => {
    const cli = await aStack(url());
    for (const words of [
      ['config', 'validate', '--online', '-s', 'dev'],
      ['start', 'dev'],
    ]) {
      const ended = await cli.ends(...words);
      expect(ended).toMatchObject({ code, said: expect.stringContaining(sentence) });
      expect(ended.said).toContain('database.url');
      expect(ended.said).not.toContain('parley:secret');
    }
    expect(await schemas()).toEqual([]);
  });

  test('refuses an address that others may read, and tables of another owner', async () => {
    const open = await aStack(server().url(), { mode: 0o644 });
    expect(await open.ends('start', 'dev')).toMatchObject({ code: 9, said: expect.stringContaining('database.url') });
    await server().ask('create schema "dev_alice"; create table "dev_alice"."orders" ("id" integer)');
    onTestFinished(async () => void (await server().ask('drop schema "dev_alice" cascade')));
    const cli = await aStack(server().url());
    const refused = await cli.ends('start', 'dev');
    expect(refused).toMatchObject({ code: 10, said: expect.stringContaining('such as orders') });
    expect(await cli.ends('remove', 'dev', '--yes')).toMatchObject({ code: 10 });
    await cli.ok('remove', 'dev', '--yes', '--force');
  });
});
