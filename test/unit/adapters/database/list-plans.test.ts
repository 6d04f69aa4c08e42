import { afterAll, beforeAll, expect, it } from 'vitest';
import { sqliteDialect } from '../../../../src/adapters/database/dialect/sqlite.js';
import { alternativesOf } from '../../../../src/adapters/database/lists/alternatives.js';
import type { Sqlite } from '../../../../src/adapters/database/sqlite.js';
import { type Statement, together } from '../../../../src/adapters/database/statements/statement.js';
import type { TableName } from '../../../../src/ports/tables/tables.js';
import { type CollectionName, fieldsOf } from '../../../../src/wire/lists/fields.js';
import { readFilter } from '../../../../src/wire/lists/filter.js';
import type { Condition, Sort } from '../../../../src/wire/lists/query.js';
import { openNewDatabase } from './new-database.js';

/** SQLite's query plans for lists as the API reads them: filtered, in the default order. */
let sqlite: Sqlite;
beforeAll(async () => {
  sqlite = await openNewDatabase();
});
afterAll(() => sqlite.close());

const id = '3fa85f64-5717-4562-b3fc-2c963f66afa6';
const hash = 'ab'.repeat(32);
const key = `0x${'cd'.repeat(20)}`;
const before = '<2026-01-15T10:00:00Z';

const byRank: readonly Sort[] = [{ field: 'rank', descending: true }];
const byPlace: readonly Sort[] = [{ field: 'sequence', descending: true }];

function conditionsOf(collection: CollectionName & TableName, filters: Readonly<Record<string, string>>): Condition[] {
  const fields = fieldsOf(collection);
  return Object.entries(filters).map(([name, value]) => {
    const field = fields[name];
    if (field === undefined) throw new Error(`${collection} has no field ${name}`);
    return readFilter(name, field, [value]);
  });
}

function planOf(collection: CollectionName & TableName, filters: Readonly<Record<string, string>>) {
  return planOfStatement(selectWhere(collection, conditionsOf(collection, filters)));
}

function selectWhere(collection: CollectionName & TableName, where: readonly Condition[]): Statement {
  const sort = collection === 'messages' ? byRank : byPlace;
  return sqliteDialect.select(collection, { namespace: 'default', where, sort, limit: 25 });
}

async function planOfStatement({ sql, bindings }: Statement): Promise<string> {
  const plan = await sqlite.reader.rows({ method: 'select', sql: `explain query plan ${sql}`, bindings });
  return plan.map(({ detail }) => String(detail)).join('\n');
}

it.each<[CollectionName & TableName, string, string, string]>([
  ['messages', 'id', id, 'messages_id'],
  ['messages', 'confirmed', before, 'messages_list'],
  ['messages', 'state', 'ready', 'messages_pending'],
  ['messages', 'state', 'staged', 'messages_staged'],
  ['messages', 'state', 'rejected', 'messages_rejected'],
  ['messages', 'type', 'private', 'messages_private'],
  ['messages', 'type', 'definition', 'messages_definition'],
  ['messages', 'type', 'transfer_broadcast', 'messages_transfer_broadcast'],
  ['messages', 'type', 'transfer_private', 'messages_transfer_private'],
  ['messages', 'type', 'approval_broadcast', 'messages_approval_broadcast'],
  ['messages', 'type', 'approval_private', 'messages_approval_private'],
  ['messages', 'tag', 'a', 'messages_tag'],
  ['messages', 'group', hash, 'messages_group'],
  ['messages', 'hash', hash, 'messages_hash'],
  ['messages', 'cid', id, 'messages_cid'],
  ['messages', 'batch', id, 'messages_batchid'],
  ['messages', 'txid', id, 'messages_txid'],
  ['events', 'id', id, 'events_id'],
  ['events', 'type', 'token_pool_confirmed', 'events_type'],
  ['events', 'type', 'message_rejected', 'events_type'],
  ['events', 'reference', id, 'events_reference'],
  ['events', 'tx', id, 'events_tx'],
  ['events', 'correlator', id, 'events_correlator'],
  ['data', 'id', id, 'data_id'],
  ['data', 'hash', hash, 'data_hash'],
  ['data', 'datatype.name', 'a', 'data_datatype'],
  ['data', 'blob.hash', hash, 'data_blob'],
  ['data', 'blob.name', 'a', 'data_blobname'],
  ['operations', 'tx', id, 'operations_tx'],
  ['operations', 'type', 'blockchain_pin_batch', 'operations_type'],
  ['operations', 'status', 'Failed', 'operations_open'],
  ['transfers', 'pool', id, 'transfers_protocolId'],
  ['transfers', 'from', key, 'transfers_by_from'],
  ['transfers', 'to', key, 'transfers_by_to'],
  ['transfers', 'key', key, 'transfers_by_key'],
  ['transfers', 'tx.id', id, 'transfers_by_txid'],
])('a list of %s with %s=%s is found by an index of its own', async (collection, field, value, index) => {
  expect(await planOf(collection, { [field]: value })).toMatch(
    new RegExp(`^SEARCH \\w+ USING (COVERING )?INDEX ${index}\\b`),
  );
});

it('messages by the beginning of an id are ranges of its index, one for each form of an id', async () => {
  const [or, ...steps] = (await planOf('messages', { id: '^3fa8' })).split('\n');
  expect(or).toBe('MULTI-INDEX OR');
  const searches = steps.filter((step) => step.startsWith('SEARCH'));
  expect(searches).toEqual(Array(3).fill('SEARCH messages USING INDEX messages_id (id>? AND id<?)'));
  expect(steps.filter((step) => step.startsWith('SCAN'))).toEqual([]);
});

it.each<[CollectionName & TableName, Readonly<Record<string, string>>, readonly string[]]>([
  ['messages', { topics: 'orders' }, ['messages_topics', 'messages_list', 'messages_severaltopics']],
  ['events', { topic: 'orders' }, ['events_topics', 'events_severaltopics']],
  ['messages', { key }, ['messages_key', 'messages_list']],
  [
    'messages',
    { author: 'did:firefly:org/alice' },
    ['messages_author', 'messages_list', 'messages_author', 'messages_list'],
  ],
])('a list of %s with %j is found by an index for each part, in its order', async (collection, filters, indexes) => {
  const alternatives = alternativesOf(collection, conditionsOf(collection, filters)) ?? [];
  const plan = await planOfStatement(together(alternatives.map((where) => selectWhere(collection, where))));
  const steps = plan.split('\n').filter((step) => step.startsWith(`SEARCH ${collection}`));
  expect(steps).toEqual(indexes.map((name) => expect.stringMatching(new RegExp(`USING INDEX ${name}\\b`))));
  expect(plan).not.toContain('TEMP B-TREE');
  // Undecided messages are a range of the index, and nothing else is read.
  for (const step of steps) if (step.includes('messages_list')) expect(step).toContain('rank>?');
});

it.each<[string, Readonly<Record<string, string>>]>([
  ['tag', { tag: 'a' }],
  ['type', { type: 'private' }],
])('messages of one %s come out of the index in their order', async (_, filters) => {
  expect(await planOf('messages', filters)).not.toContain('TEMP B-TREE');
});
