/**
 * Frozen: existing databases were created with exactly these statements. A later change is a migration of its own.
 *
 * Each key of UUIDs or hashes costs a page per row, so a table has as few of them as its readers need; the partial
 * indexes hold only rows of open work, and stay small however long the history grows (docs/architecture.md §9.2).
 */
export const firstLight = {
  number: 1,
  name: 'first light',
  statements: [
    `create table "messages" (
      "sequence" integer primary key autoincrement, "namespace" text not null, "id" text not null,
      "hash" text not null, "type" text not null, "txtype" text not null, "author" text not null,
      "key" text not null, "created" text not null, "cid" text, "topics" text not null, "tag" text,
      "datahash" text not null, "data" text not null, "pins" text not null, "sizeBytes" integer not null,
      "state" text not null, "batch" text, "batchHash" text, "txid" text, "confirmed" text, "rejectReason" text,
      "idempotencyKey" text, "rank" text not null) strict`,
    `create unique index "messages_id" on "messages" ("id", "hash")`,
    `create unique index "messages_idempotency" on "messages" ("namespace", "idempotencyKey")
      where "idempotencyKey" is not null`,
    `create index "messages_list" on "messages" ("namespace", "rank")`,
    `create index "messages_pending" on "messages" ("namespace", "rank") where "state" = 'ready'`,
    `create index "messages_unsealed" on "messages" ("key") where "state" = 'ready' and "batch" is null`,
    `create index "messages_batch" on "messages" ("batchHash") where "batchHash" is not null`,

    `create table "data" (
      "sequence" integer primary key autoincrement, "namespace" text not null, "id" text not null,
      "hash" text not null, "validator" text not null, "created" text not null, "value" text not null) strict`,
    `create unique index "data_id" on "data" ("id", "hash")`,

    `create table "batches" (
      "sequence" integer primary key autoincrement, "namespace" text not null, "id" text not null,
      "hash" text not null, "signer" text not null, "author" text not null, "node" text, "type" text not null,
      "txid" text not null, "created" text, "payloadRef" text, "manifest" text, "state" text not null,
      "reason" text, "confirmed" text) strict`,
    `create unique index "batches_id" on "batches" ("id", "hash", "signer")`,
    `create index "batches_hash" on "batches" ("hash")`,
    `create index "batches_sealed" on "batches" ("signer") where "state" = 'sealed'`,
    `create index "batches_wanted" on "batches" ("signer") where "state" = 'wanted'`,

    `create table "payloads" (
      "sequence" integer primary key autoincrement, "namespace" text not null, "hash" text not null,
      "text" text not null) strict`,
    `create unique index "payloads_hash" on "payloads" ("hash")`,

    `create table "pins" (
      "sequence" integer primary key autoincrement, "namespace" text not null, "context" text not null,
      "masked" integer not null, "batch" text not null, "batchHash" text not null, "signer" text not null,
      "identity" text not null, "index" integer not null, "spent" integer not null, "block" integer not null,
      "created" text not null) strict`,
    `create unique index "pins_place" on "pins" ("batch", "batchHash", "signer", "index")`,
    `create index "pins_unspent" on "pins" ("context") where "spent" = 0`,

    `create table "due" (
      "sequence" integer primary key autoincrement, "namespace" text not null, "context" text not null) strict`,
    `create unique index "due_context" on "due" ("context")`,

    `create table "waits" (
      "sequence" integer primary key autoincrement, "namespace" text not null, "context" text not null,
      "on" text not null, "since" text not null) strict`,
    `create unique index "waits_context" on "waits" ("context", "on")`,
    `create index "waits_on" on "waits" ("on")`,

    `create table "operations" (
      "sequence" integer primary key autoincrement, "namespace" text not null, "id" text not null,
      "tx" text not null, "type" text not null, "lane" text not null, "plugin" text not null,
      "status" text not null, "input" text not null, "output" text, "error" text, "created" text not null,
      "updated" text not null, "retry" text, "batch" text not null, "batchHash" text not null,
      "signer" text not null, "nonce" integer, "raw" text) strict`,
    `create unique index "operations_id" on "operations" ("id")`,
    `create index "operations_open" on "operations" ("status", "lane")`,
    `create index "operations_tx" on "operations" ("tx")`,
    `create index "operations_batch" on "operations" ("batch")`,
    `create index "operations_nonce" on "operations" ("lane", "nonce") where "nonce" is not null`,

    `create table "transactions" (
      "sequence" integer primary key autoincrement, "namespace" text not null, "id" text not null,
      "type" text not null, "created" text not null, "blockchainIds" text not null) strict`,
    `create unique index "transactions_id" on "transactions" ("id")`,

    `create table "events" (
      "sequence" integer primary key autoincrement, "namespace" text not null, "id" text not null,
      "type" text not null, "reference" text not null, "referenceHash" text not null, "correlator" text, "tx" text,
      "topic" text, "topics" text not null, "created" text not null) strict`,
    `create unique index "events_id" on "events" ("id")`,
    `create unique index "events_reference" on "events" ("reference", "referenceHash", "type", "namespace")`,
    `create index "events_list" on "events" ("namespace")`,

    `create table "identities" (
      "sequence" integer primary key autoincrement, "namespace" text not null, "id" text not null,
      "did" text not null, "type" text not null, "parent" text, "name" text not null, "created" text not null,
      "endpoint" text, "publicKeyHash" text) strict`,
    `create unique index "identities_did" on "identities" ("did")`,

    `create table "keys" (
      "sequence" integer primary key autoincrement, "namespace" text not null, "key" text not null,
      "identity" text not null, "created" text not null) strict`,
    `create unique index "keys_key" on "keys" ("key")`,

    `create table "cursors" (
      "sequence" integer primary key autoincrement, "namespace" text not null, "source" text not null,
      "genesisHash" text not null, "contract" text not null, "block" integer not null,
      "blockHash" text not null) strict`,
    `create unique index "cursors_source" on "cursors" ("source")`,

    // The statistics of the query planner, fixed so that plans do not depend on a database's age: the rows of a table,
    // then how many rows share the first column of an index, the first two, and so on. A namespace selects least, an id
    // most. A status selects much, because those that are queried, of open work, are the rare ones.
    `analyze`,
    `delete from sqlite_stat1`,
    `insert into sqlite_stat1 (tbl, idx, stat) values
      ('messages', 'messages_id', '1000000 1 1'), ('messages', 'messages_idempotency', '500000 250000 1'),
      ('messages', 'messages_list', '1000000 500000 5'), ('messages', 'messages_pending', '1000 500 1'),
      ('messages', 'messages_unsealed', '500 250'), ('messages', 'messages_batch', '1000000 100'),
      ('data', 'data_id', '1000000 1 1'),
      ('batches', 'batches_id', '10000 1 1 1'), ('batches', 'batches_hash', '10000 1'),
      ('batches', 'batches_sealed', '10 2'), ('batches', 'batches_wanted', '100 20'),
      ('payloads', 'payloads_hash', '10000 1'),
      ('pins', 'pins_place', '1000000 100 100 100 1'), ('pins', 'pins_unspent', '1000 10'),
      ('due', 'due_context', '10000 1'), ('waits', 'waits_context', '10000 2 1'), ('waits', 'waits_on', '10000 2'),
      ('operations', 'operations_id', '30000 1'), ('operations', 'operations_open', '30000 100 20'),
      ('operations', 'operations_tx', '30000 3'), ('operations', 'operations_batch', '30000 3'),
      ('operations', 'operations_nonce', '10000 5000 1'),
      ('transactions', 'transactions_id', '10000 1'),
      ('events', 'events_id', '1000000 1'), ('events', 'events_reference', '1000000 1 1 1 1'),
      ('events', 'events_list', '1000000 500000'),
      ('identities', 'identities_did', '100 1'), ('keys', 'keys_key', '100 1'), ('cursors', 'cursors_source', '10 1')`,
  ],
} as const;
