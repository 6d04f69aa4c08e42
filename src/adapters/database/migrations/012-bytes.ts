import { firstLight } from './001-first-light.js';
import { messaging } from './002-messaging.js';
import { subscriptions } from './003-subscriptions.js';
import { tokens } from './004-tokens.js';
import { rejections } from './007-rejections.js';
import { steps } from './008-steps.js';
import { listFilters } from './010-list-filters.js';
import { memberFilters } from './011-member-filters.js';
import { columnsOf, createText, indexesOf, keptStatistics, rebuilt } from '../rebuild.js';

/** The columns that hold ids as bytes from now on, by table. */
const ids: Readonly<Record<string, readonly string[]>> = {
  messages: ['id', 'hash', 'key', 'group', 'cid', 'datahash', 'parentId', 'batch', 'batchHash', 'txid'],
  data: ['id', 'hash', 'blobHash', 'seal'],
  batches: ['id', 'hash', 'signer', 'node', 'group', 'txid'],
  payloads: ['hash'],
  pins: ['context', 'batch', 'batchHash', 'signer'],
  events: ['id', 'reference', 'referenceHash', 'correlator', 'tx', 'group', 'listener'],
  operations: ['id', 'tx', 'batch', 'batchHash', 'signer', 'blob', 'transactionHash'],
  transactions: ['id'],
  blockchainevents: ['id', 'listener', 'txid', 'blockchainId'],
};
/** The columns whose long texts are compressed from now on. What they hold stays as it is. */
const long: Readonly<Record<string, readonly string[]>> = { payloads: ['text'], batches: ['manifest'] };

/** The statements that made these tables; they are frozen. */
const before: readonly string[] = [
  firstLight,
  messaging,
  subscriptions,
  tokens,
  rejections,
  steps,
  listFilters,
  memberFilters,
].flatMap(({ statements }) => statements);

const digit = '[0-9a-f]';

/** An id as bytes: 16 are a UUID, 20 a key, 32 a hash. Any other text stays text. */
function bytesSql(column: string): string {
  const uuid = [8, 4, 4, 4, 12].map((count) => digit.repeat(count)).join('-');
  return (
    `case length(${column}) ` +
    `when 36 then iif(${column} glob '${uuid}', unhex(${column}, '-'), ${column}) ` +
    `when 42 then iif(${column} glob '0x${digit.repeat(40)}', unhex(substr(${column}, 3)), ${column}) ` +
    `when 64 then iif(${column} glob '${digit.repeat(64)}', unhex(${column}), ${column}) ` +
    `else ${column} end`
  );
}

const conversions = [
  { columns: ids, value: bytesSql },
  { columns: long, value: (column: string) => column },
];

/**
 * Ids are bytes and long texts compressed, which takes a third off what a message needs on disk. PostgreSQL keeps both
 * as they were: it compresses long text by itself.
 *
 * Lists by hash have indexes. The messages of a batch are found by its id, which has an index for lists anyway.
 */
export const bytes = {
  number: 12,
  name: 'bytes',
  onSqlite: keptStatistics(
    Object.keys(ids).flatMap((table) =>
      rebuilt(table, columnsOf(table, before, conversions), indexesOf(table, before)),
    ),
  ),
  statements: [
    `create index "messages_hash" on "messages" ("hash")`,
    `create index "data_hash" on "data" ("hash")`,
    `drop index "messages_batch"`,
    `delete from sqlite_stat1 where idx = 'messages_batch'`,

    // The planner's statistics of the new indexes; see the first migration.
    `insert into sqlite_stat1 (tbl, idx, stat) values
      ('messages', 'messages_hash', '1000000 2'), ('data', 'data_hash', '1000000 5')`,
  ],
} as const;

/** Statements that would make the tables of this migration as they are after it. */
export const afterBytes: readonly string[] = [
  ...Object.keys(ids).map((table) => createText(table, columnsOf(table, before, conversions))),
  ...Object.keys(ids).flatMap((table) => indexesOf(table, before)),
  ...bytes.statements,
];
