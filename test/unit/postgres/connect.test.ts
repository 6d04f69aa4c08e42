import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parsePostgresAddress } from '../../../src/postgres/address.js';
import { connectPostgres, removeLimits } from '../../../src/postgres/connect.js';
import { connectProblem } from '../../../src/postgres/problem.js';
import { hasNoPostgres, type PostgresAccess, sharedPostgres } from '../../support/postgres.js';

describe.skipIf(hasNoPostgres)('a session on a server (needs PostgreSQL)', () => {
  let server: PostgresAccess;
  beforeAll(async () => {
    server = await sharedPostgres();
    await server.ask(`create role "limited" login password 'limited'`);
  });
  afterAll(() => server.ask('drop role "limited"'));

  test.each([
    ['idle_session_timeout', '300ms', '0'],
    ['idle_in_transaction_session_timeout', '300ms', '0'],
    ['statement_timeout', '300ms', '0'],
    ['lock_timeout', '300ms', '0'],
    ['default_transaction_isolation', 'serializable', 'read committed'],
  ])('does not have the %s that the server has set for its user', async (name, limit, expected) => {
    await server.ask(`alter role "limited" set ${name} = '${limit}'`);
    const client = await connectPostgres(parsePostgresAddress(server.url('postgres', 'limited:limited')));
    const { rows } = await client.query(`select current_setting('${name}') as is`);
    await client.end();
    expect(rows).toEqual([{ is: expected }]);
  });

  test('has no limit of newer servers either, and asks no server for a setting that it does not know', async () => {
    const client = await connectPostgres(parsePostgresAddress(server.url('postgres', 'limited:limited')));
    const asked = `select query as is from pg_stat_activity where usename = 'limited'`;
    expect(await server.ask(asked)).toEqual([{ is: expect.stringContaining('transaction_timeout') as string }]);
    await client.query(`set statement_timeout = '300ms'`);
    expect(await removeLimits(client, ['statement_timeout', 'limit_of_tomorrow'])).toEqual(['statement_timeout']);
    const { rows } = await client.query(`select current_setting('statement_timeout') as is`);
    await client.end();
    expect(rows).toEqual([{ is: '0' }]);
  });
});

test.each([
  ['08P01', 'unsupported startup parameter: options', /unsupported startup parameter/],
  [
    '28000',
    'no pg_hba.conf entry for host "10.0.0.2", user "me", database "dev", no encryption',
    /requires an encrypted/,
  ],
])('an error %s while connecting is not taken for a silent server, or a wrong password', (code, message, expected) => {
  const address = parsePostgresAddress('postgres://me:secret@db/dev?sslmode=disable');
  const problem = connectProblem(Object.assign(new Error(message), { code }), address);
  expect(problem).toMatchObject({ reason: 'unsuitable', message: expect.stringMatching(expected) as string });
});
