import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sqliteDialect } from '../../../../src/adapters/database/dialect/sqlite.js';
import { migrate } from '../../../../src/adapters/database/migrate.js';
import { openSqlite, type Sqlite } from '../../../../src/adapters/database/sqlite.js';
import { plain, type Statement } from '../../../../src/adapters/database/statements/statement.js';
import { isLong, tableNames, tables } from '../../../../src/adapters/database/tables/tables.js';
import { createSilentLog } from '../../../../src/adapters/log/silent.js';
import { every } from '../../../../src/ports/tables/where.js';
import type { TableName } from '../../../../src/ports/tables/tables.js';
import { fields } from '../../../../src/wire/lists/fields.js';
import { readFilter } from '../../../../src/wire/lists/filter.js';
import type { Condition, Sort } from '../../../../src/wire/lists/query.js';
import { equal, isIn, query } from '../../../compliance/database/rows.js';
import { openNewDatabase } from './new-database.js';

/** The schema of a new database, as reported by SQLite. */
describe('the form of a new database', () => {
  let sqlite: Sqlite;
  beforeAll(async () => {
    sqlite = await openNewDatabase();
  });
  afterAll(() => sqlite.close());

  it.each(tableNames)('the columns of %s are those in the program', async (table) => {
    const columns = await sqlite.reader.rows(plain(`pragma table_info("${table}")`));
    const texts = { text: 'TEXT', word: 'TEXT', json: 'TEXT' };
    const types = { ...texts, id: 'ANY', time: 'ANY', integer: 'INTEGER', boolean: 'INTEGER' };
    const expected = Object.entries(tables[table].columns).map(([name, kind]) => {
      const base = Object.entries(types).find(([each]) => kind.startsWith(each));
      const type = isLong(table, name) ? 'ANY' : base?.[1];
      return `${name} ${type}${kind.endsWith('?') ? '' : ' not null'}`;
    });
    const actual = columns.map(
      ({ name, type, notnull }) => `${String(name)} ${String(type)}${notnull ? ' not null' : ''}`,
    );
    expect(actual.sort()).toEqual([...expected, 'sequence INTEGER'].sort());
  });

  it.each(tableNames)('the unique keys of %s are those in the program', async (table) => {
    const indexes = await sqlite.reader.rows(plain(`pragma index_list("${table}")`));
    const keys = [];
    for (const { name } of indexes.filter(({ unique }) => unique === 1)) {
      const columns = await sqlite.reader.rows(plain(`pragma index_info("${String(name)}")`));
      keys.push(columns.map((column) => column.name));
    }
    expect(keys.map(String).sort()).toEqual(tables[table].uniqueKeys.map(String).sort());
  });

  it('a plan does not depend on a limit, so that a statement is not compiled again for each', async () => {
    const where: Condition[] = [equal('tag', 'a'), { field: 'created', is: 'above', value: '2026' }];
    const planOf = async (limit: number): Promise<unknown[]> => {
      const sort: readonly Sort[] = [{ field: 'created' }];
      const { sql, bindings } = sqliteDialect.find('messages', { namespace: 'default', where, sort, limit });
      return sqlite.reader.rows({ method: 'select', sql: `explain query plan ${sql}`, bindings });
    };
    expect(await planOf(2)).toEqual(await planOf(1_000_000));
  });

  it('the connection that has created a database uses its statistics at once', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'database-'));
    const log = createSilentLog();
    const made = await openSqlite({ file: join(directory, 'node.sqlite'), log, onDamage: () => undefined });
    await migrate(made.writer, { log, failpoint: { reach: () => Promise.resolve() } });
    const key = select('messages', [isIn('idempotencyKey', ['a'])], every);
    const [plan] = await made.writer.rows({ ...key, sql: `explain query plan ${key.sql}` });
    expect(String(plan?.detail)).toMatch(/^SEARCH messages USING INDEX messages_idempotency/);
    await made.close();
    await rm(directory, { recursive: true });
  });

  it('every index has statistics, so that no plan depends on the age of a database', async () => {
    const missing = await sqlite.reader.rows(
      plain(`select name from sqlite_schema where type = 'index' and name not in (select idx from sqlite_stat1)`),
    );
    expect(missing).toEqual([]);
  });

  const falling: Sort[] = [{ field: 'rank', descending: true }];
  const ready = equal('state', 'ready');
  const after = (sequence: number): Condition => ({ field: 'sequence', is: 'above', value: sequence });
  const select = (table: TableName, where: Condition[], namespace: string | typeof every, sort?: Sort[]) =>
    sqliteDialect.select(table, { ...query(where), namespace, limit: 25, ...(sort && { sort }) });
  const all: typeof every = every;
  const minutes: Condition[] = [
    { field: 'created', is: 'atLeast', value: '2026-01-15T10:00:00.000Z' },
    { field: 'created', is: 'below', value: '2026-01-15T10:05:00.000Z' },
  ];
  const rejected = equal('state', 'rejected');
  const beginning: Condition = { field: 'id', is: 'startsWith', value: '3fa8' };
  const decided = readFilter('confirmed', fields.messages.confirmed, ['<2026-01-15T10:00:00Z']);

  it.each<[string, string, Statement]>([
    [
      'unsealed messages',
      'messages_unsealed',
      select('messages', [equal('key', 'a'), ready, { field: 'batch', is: 'null' }], all),
    ],
    [
      'the messages of a batch',
      'messages_batchid',
      select('messages', [equal('batch', 'a'), equal('batchHash', 'a')], all),
    ],
    ['a message', 'messages_id', select('messages', [equal('id', 'a')], 'default', falling)],
    ['messages by id and hash', 'messages_id', select('messages', [isIn('id', ['a']), isIn('hash', ['a'])], 'default')],
    ['a list of messages', 'messages_list', select('messages', [], 'default', falling)],
    ['a list of pending messages', 'messages_pending', select('messages', [ready], 'default', falling)],
    [
      'a count of pending messages',
      'messages_pending',
      sqliteDialect.count('messages', { namespace: 'default', where: [ready] }),
    ],
    ['a list of messages with a tag', 'messages_tag', select('messages', [equal('tag', 'a')], 'default', falling)],
    ['a list of rejected messages', 'messages_rejected', select('messages', [rejected], 'default', falling)],
    ['answers to a message', 'messages_cid', select('messages', [equal('cid', 'a')], 'default', falling)],
    ['a list of the messages of a batch', 'messages_batchid', select('messages', [equal('batch', 'a')], 'default')],
    ['messages of a group', 'messages_group', select('messages', [equal('group', 'a')], 'default', falling)],
    ['messages of some minutes', 'messages_created', select('messages', minutes, 'default', falling)],
    ['events of some minutes', 'events_created', select('events', minutes, 'default', [{ field: 'created' }])],
    ['rejections', 'events_type', select('events', [equal('type', 'message_rejected')], 'default')],
    ['messages by the beginning of an id', 'messages_id', select('messages', [beginning], 'default', falling)],
    ['messages decided before a time', 'messages_list', select('messages', [decided], 'default', falling)],
    ['an idempotency key', 'messages_idempotency', select('messages', [equal('idempotencyKey', 'a')], 'default')],
    ['messages by sequence', 'INTEGER PRIMARY KEY', select('messages', [isIn('sequence', [1])], 'default')],
    [
      'a change of messages by sequence',
      'INTEGER PRIMARY KEY',
      sqliteDialect.update(
        'messages',
        { namespace: 'default', where: [isIn('sequence', [1])] },
        { state: 'confirmed' },
      ),
    ],
    ['data items', 'data_id', select('data', [isIn('id', ['a'])], 'default')],
    ['a batch', 'batches_id', select('batches', [equal('id', 'a'), equal('hash', 'a'), equal('signer', 'a')], all)],
    ['batches by hash', 'batches_hash', select('batches', [equal('hash', 'a')], all)],
    [
      'the sealed batches of a key',
      'batches_sealed',
      select('batches', [equal('signer', 'a'), equal('state', 'sealed')], all),
    ],
    ['wanted batches', 'batches_wanted', select('batches', [equal('state', 'wanted')], all, [{ field: 'signer' }])],
    ['a payload', 'payloads_hash', select('payloads', [equal('hash', 'a')], all)],
    ['the head of a context', 'pins_unspent', select('pins', [equal('context', 'a'), equal('spent', false)], all)],
    ['unspent pins', 'pins_unspent', select('pins', [isIn('context', ['a']), equal('spent', false)], 'svc_system')],
    [
      'the masked pins of members',
      'pins_masked',
      select('pins', [isIn('context', ['a']), isIn('identity', ['b']), equal('masked', true)], all),
    ],
    [
      'the unspent masked pins of members after a place',
      'pins_unspent',
      select(
        'pins',
        [
          isIn('context', ['a']),
          isIn('identity', ['b']),
          equal('masked', true),
          equal('spent', false),
          { field: 'sequence', is: 'above', value: 5 },
        ],
        all,
      ),
    ],
    ['the members of private contexts', 'nextpins_context', select('nextpins', [isIn('context', ['a'])], all)],
    ['who expects a masked pin', 'nextpins_hash', select('nextpins', [isIn('hash', ['a'])], all)],
    ['candidates of a hash', 'candidates_hash', select('candidates', [isIn('hash', ['a'])], 'svc_system')],
    [
      'how many candidates a peer has',
      'candidates_peer',
      sqliteDialect.count('candidates', { namespace: 'svc_system', where: [equal('peer', 'a')] }),
    ],
    ['the pins of a batch', 'pins_place', select('pins', [equal('batch', 'a'), equal('batchHash', 'a')], 'svc_system')],
    ['due contexts', 'INTEGER PRIMARY KEY', select('due', [after(0)], all)],
    ['what waits on something', 'waits_on', select('waits', [isIn('on', ['a']), after(0)], all)],
    [
      'the waits of contexts',
      'waits_context',
      sqliteDialect.remove('waits', { namespace: all, where: [isIn('context', ['a'])] }),
    ],
    [
      'the open operations of a lane',
      'operations_open',
      select('operations', [equal('lane', 'a'), isIn('status', ['Initialized', 'Pending'])], all),
    ],
    ['open operations', 'operations_open', select('operations', [isIn('status', ['Initialized', 'Pending'])], all)],
    [
      'the last nonce of a lane',
      'operations_nonce',
      select('operations', [equal('lane', 'a'), { field: 'nonce', is: 'notNull' }], all, [
        { field: 'nonce', descending: true },
      ]),
    ],
    ['events after a cursor', 'INTEGER PRIMARY KEY', select('events', [after(5)], all)],
    ['events of a namespace after a cursor', 'events_list', select('events', [after(5)], 'default')],
    ['the newest events', 'events_list', select('events', [], 'default', [{ field: 'sequence', descending: true }])],
    [
      'exact messages',
      'messages_id',
      sqliteDialect.exact('messages', { columns: ['id', 'hash'], values: [['a', 'b']] }),
    ],
    [
      'exact items',
      'data_id',
      sqliteDialect.exact('data', { columns: ['id', 'hash', 'seal'], values: [['a', 'b', 'c']] }),
    ],
    [
      'exact batches',
      'batches_hash',
      sqliteDialect.exact('batches', { columns: ['id', 'hash', 'signer'], values: [['a', 'b', 'c']] }),
    ],
    [
      'the pins of a batch that is to be judged',
      'pins_place',
      select('pins', [equal('batch', 'a'), equal('batchHash', 'b'), equal('signer', 'c'), equal('spent', false)], all, [
        { field: 'index' },
      ]),
    ],
    ['the events of a message', 'events_reference', select('events', [equal('reference', 'a')], 'default')],
  ])('%s are found by an index', async (_, index, { sql, bindings }) => {
    const plan = await sqlite.reader.rows({ method: 'select', sql: `explain query plan ${sql}`, bindings });
    const steps = plan.map(({ detail }) => String(detail));
    expect(steps.join('\n')).toMatch(new RegExp(` USING .*${index}\\b`));
    const isAllowed = (step: string) =>
      !step.startsWith('SCAN') || step.includes('json_each') || step.includes('USING INDEX');
    expect(steps.filter((step) => !isAllowed(step))).toEqual([]);
  });

  it.each<[string, Statement]>([
    ['a list of messages', select('messages', [], 'default', falling)],
    ['a list of pending messages', select('messages', [ready], 'default', falling)],
    ['a list of messages with a tag', select('messages', [equal('tag', 'a')], 'default', falling)],
    ['a list of rejected messages', select('messages', [rejected], 'default', falling)],
    ['messages of a group', select('messages', [equal('group', 'a')], 'default', falling)],
    ['messages decided before a time', select('messages', [decided], 'default', falling)],
    ['messages by time', select('messages', [], 'default', [{ field: 'created', descending: true }])],
    ['undecided messages', select('messages', [fields.messages.pending.yes], 'default', falling)],
    ['unsealed messages', select('messages', [equal('key', 'a'), ready, { field: 'batch', is: 'null' }], all)],
    ['events of a namespace after a cursor', select('events', [after(5)], 'default')],
    ['the newest events', select('events', [], 'default', [{ field: 'sequence', descending: true }])],
  ])('%s come out of the index in their order', async (_, { sql, bindings }) => {
    const plan = await sqlite.reader.rows({ method: 'select', sql: `explain query plan ${sql}`, bindings });
    expect(plan.map(({ detail }) => String(detail)).filter((step) => step.includes('TEMP B-TREE'))).toEqual([]);
  });
});
