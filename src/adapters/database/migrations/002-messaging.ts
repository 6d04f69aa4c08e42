/**
 * Private messages, groups, blobs and datatypes. Frozen like the first migration: a later change is a migration of its
 * own.
 */
export const messaging = {
  number: 2,
  name: 'messaging',
  statements: [
    `alter table "messages" add column "group" text`,
    `alter table "messages" add column "nonces" text`,
    `alter table "messages" add column "hasBlobs" integer not null default 0`,
    `alter table "messages" add column "hasDatatypes" integer not null default 0`,
    `create index "messages_group" on "messages" ("group", "rank") where "group" is not null`,
    // Lists: by tag in their order, by time, and by rare columns, which cost nothing while they are rare.
    `create index "messages_tag" on "messages" ("namespace", "tag", "rank") where "tag" is not null`,
    `create index "messages_created" on "messages" ("namespace", "created")`,
    `create index "messages_batchid" on "messages" ("batch") where "batch" is not null`,
    `create index "messages_cid" on "messages" ("cid") where "cid" is not null`,
    `create index "messages_rejected" on "messages" ("namespace", "rank") where "state" = 'rejected'`,
    `create index "events_created" on "events" ("namespace", "created")`,
    `create index "events_rejected" on "events" ("namespace") where "type" = 'message_rejected'`,

    `alter table "data" add column "datatypeName" text`,
    `alter table "data" add column "datatypeVersion" text`,
    `alter table "data" add column "blobHash" text`,
    `alter table "data" add column "blobSize" integer`,
    `alter table "data" add column "blobName" text`,
    `alter table "data" add column "blobPath" text`,
    `alter table "data" add column "blobPublic" text`,
    `alter table "data" add column "public" text`,
    `create index "data_list" on "data" ("namespace")`,
    `create index "data_blob" on "data" ("blobHash") where "blobHash" is not null`,

    `create table "blobs" (
      "sequence" integer primary key autoincrement, "namespace" text not null, "hash" text not null,
      "sizeBytes" integer not null, "created" text not null) strict`,
    `create unique index "blobs_hash" on "blobs" ("hash")`,

    `create table "groups" (
      "sequence" integer primary key autoincrement, "namespace" text not null, "hash" text not null,
      "name" text not null, "members" text not null, "created" text not null) strict`,
    `create unique index "groups_hash" on "groups" ("hash")`,

    `create table "profiles" (
      "sequence" integer primary key autoincrement, "namespace" text not null, "identity" text not null,
      "description" text, "profile" text, "message" text not null, "updated" text not null) strict`,
    `create unique index "profiles_identity" on "profiles" ("namespace", "identity")`,

    `create table "datatypes" (
      "sequence" integer primary key autoincrement, "namespace" text not null, "id" text not null,
      "message" text not null, "name" text not null, "version" text not null, "hash" text not null,
      "value" text not null, "created" text not null, "pin" integer not null) strict`,
    `create unique index "datatypes_id" on "datatypes" ("namespace", "id")`,
    `create unique index "datatypes_name" on "datatypes" ("namespace", "name", "version")`,

    `alter table "batches" add column "group" text`,

    `create table "candidates" (
      "sequence" integer primary key autoincrement, "namespace" text not null, "hash" text not null,
      "peer" text not null, "batch" text not null, "group" text not null,
      "groupName" text not null, "groupNamespace" text not null,
      "members" text not null, "sizeBytes" integer not null, "created" text not null) strict`,
    `create unique index "candidates_hash" on "candidates" ("hash", "peer")`,
    `create index "candidates_peer" on "candidates" ("peer")`,

    `create table "claims" (
      "sequence" integer primary key autoincrement, "namespace" text not null, "blob" text not null,
      "sizeBytes" integer not null, "peer" text not null, "source" text not null) strict`,
    `create unique index "claims_blob" on "claims" ("blob", "peer", "source")`,
    `create index "claims_source" on "claims" ("source")`,

    `create table "nonces" (
      "sequence" integer primary key autoincrement, "namespace" text not null, "context" text not null,
      "identity" text not null, "nonce" integer not null) strict`,
    `create unique index "nonces_context" on "nonces" ("context", "identity")`,

    `create table "nextpins" (
      "sequence" integer primary key autoincrement, "namespace" text not null, "context" text not null,
      "topic" text not null, "group" text not null, "identity" text not null, "nonce" integer not null,
      "hash" text not null) strict`,
    `create unique index "nextpins_context" on "nextpins" ("context", "identity")`,
    `create index "nextpins_hash" on "nextpins" ("hash")`,

    // Used pins too: whether a nonce was pinned before decides whether a batch is void.
    `create index "pins_masked" on "pins" ("context", "identity") where "masked" = 1`,

    `alter table "operations" add column "blob" text`,
    `create index "operations_blob" on "operations" ("blob") where "blob" is not null`,

    `alter table "transactions" add column "idempotencyKey" text`,
    `create unique index "transactions_idempotency" on "transactions" ("namespace", "idempotencyKey")
      where "idempotencyKey" is not null`,
    `create index "transactions_list" on "transactions" ("namespace")`,

    `alter table "identities" add column "block" integer not null default 0`,
    `alter table "identities" add column "updated" text`,

    // The planner's statistics of the new indexes; see the first migration.
    `insert into sqlite_stat1 (tbl, idx, stat) values
      ('messages', 'messages_group', '500000 10000 2'),
      ('messages', 'messages_tag', '1000000 500000 10000 5'), ('messages', 'messages_created', '1000000 500000 5'),
      ('messages', 'messages_batchid', '1000000 100'), ('messages', 'messages_cid', '10000 2'),
      ('messages', 'messages_rejected', '1000 500 1'),
      ('events', 'events_created', '1000000 500000 5'), ('events', 'events_rejected', '1000 500'),
      ('data', 'data_list', '1000000 500000'), ('data', 'data_blob', '10000 1'),
      ('blobs', 'blobs_hash', '10000 1'), ('groups', 'groups_hash', '1000 1'),
      ('datatypes', 'datatypes_id', '100 50 1'), ('datatypes', 'datatypes_name', '100 50 2 1'),
      ('profiles', 'profiles_identity', '100 50 1'),
      ('candidates', 'candidates_hash', '100 1 1'), ('candidates', 'candidates_peer', '100 50'),
      ('claims', 'claims_blob', '100 1 1 1'), ('claims', 'claims_source', '100 1'),
      ('nonces', 'nonces_context', '10000 1 1'),
      ('nextpins', 'nextpins_context', '30000 3 1'), ('nextpins', 'nextpins_hash', '30000 1'),
      ('pins', 'pins_masked', '100000 1 1'),
      ('operations', 'operations_blob', '1000 2'),
      ('transactions', 'transactions_idempotency', '1000 500 1'),
      ('transactions', 'transactions_list', '10000 5000')`,
  ],
} as const;
