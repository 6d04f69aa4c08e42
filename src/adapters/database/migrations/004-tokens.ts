/** Tokens and contracts: a node's requests to the chain beside its pins, and the events that it reads there. */
export const tokens = {
  number: 4,
  name: 'tokens',
  statements: [
    `create table "pools" (
      "sequence" integer primary key autoincrement, "namespace" text not null, "id" text not null,
      "name" text not null, "networkName" text, "type" text not null, "standard" text, "locator" text,
      "chainKey" text, "address" text, "key" text, "symbol" text, "decimals" integer, "connector" text not null,
      "message" text, "state" text not null, "refusal" text, "active" integer not null, "created" text not null,
      "info" text, "txtype" text, "txid" text, "interface" text, "interfaceFormat" text, "methods" text,
      "published" integer not null, "pin" integer, "claim" text, "verified" integer not null) strict`,
    `create unique index "pools_id" on "pools" ("namespace", "id")`,
    `create unique index "pools_name" on "pools" ("namespace", "name")`,
    `create index "pools_by_chainKey" on "pools" ("chainKey") where "chainKey" is not null`,
    `create index "pools_by_address" on "pools" ("address") where "address" is not null`,
    `create index "pools_by_networkName" on "pools" ("networkName") where "networkName" is not null`,
    `create index "pools_by_txid" on "pools" ("txid") where "txid" is not null`,

    `create table "transfers" (
      "sequence" integer primary key autoincrement, "namespace" text not null, "type" text not null,
      "localId" text not null, "pool" text not null, "tokenIndex" text, "uri" text, "connector" text not null,
      "key" text not null, "from" text, "to" text, "amount" text not null, "protocolId" text not null,
      "message" text, "messageHash" text, "created" text not null, "txtype" text, "txid" text,
      "blockchainEvent" text not null, "block" integer not null) strict`,
    `create unique index "transfers_localId" on "transfers" ("localId")`,
    `create unique index "transfers_protocolId" on "transfers" ("namespace", "pool", "protocolId")`,
    `create index "transfers_by_message" on "transfers" ("message") where "message" is not null`,
    `create index "transfers_by_from" on "transfers" ("from") where "from" is not null`,
    `create index "transfers_by_to" on "transfers" ("to") where "to" is not null`,

    `create table "approvals" (
      "sequence" integer primary key autoincrement, "namespace" text not null, "localId" text not null,
      "pool" text not null, "connector" text not null, "key" text not null, "operator" text not null,
      "approved" integer not null, "info" text, "protocolId" text not null, "subject" text not null,
      "active" integer not null, "message" text, "messageHash" text, "created" text not null, "txtype" text,
      "txid" text, "blockchainEvent" text not null, "block" integer not null) strict`,
    `create unique index "approvals_localId" on "approvals" ("localId")`,
    `create unique index "approvals_protocolId" on "approvals" ("namespace", "pool", "protocolId")`,
    `create index "approvals_by_subject" on "approvals" ("subject")`,
    `create index "approvals_by_message" on "approvals" ("message") where "message" is not null`,

    `create table "balances" (
      "sequence" integer primary key autoincrement, "namespace" text not null, "pool" text not null,
      "tokenIndex" text not null, "uri" text, "connector" text not null, "key" text not null,
      "balance" text not null, "updated" text not null) strict`,
    `create unique index "balances_key" on "balances" ("namespace", "pool", "tokenIndex", "key")`,
    `create index "balances_by_key" on "balances" ("key")`,

    `create table "accounts" (
      "sequence" integer primary key autoincrement, "namespace" text not null, "key" text not null,
      "updated" text not null) strict`,
    `create unique index "accounts_key" on "accounts" ("namespace", "key")`,

    `create table "accountpools" (
      "sequence" integer primary key autoincrement, "namespace" text not null, "key" text not null,
      "pool" text not null, "updated" text not null) strict`,
    `create unique index "accountpools_pool" on "accountpools" ("namespace", "key", "pool")`,
    `create index "accountpools_by_pool" on "accountpools" ("pool")`,

    `create table "sources" (
      "sequence" integer primary key autoincrement, "namespace" text not null, "kind" text not null,
      "subject" text not null, "address" text, "topics" text not null, "withInput" integer not null) strict`,
    `create unique index "sources_subject" on "sources" ("kind", "subject")`,
    `create index "sources_by_subject" on "sources" ("subject")`,

    `create table "interfaces" (
      "sequence" integer primary key autoincrement, "namespace" text not null, "id" text not null, "message" text,
      "name" text not null, "networkName" text, "description" text not null, "version" text not null,
      "methods" text not null, "events" text not null, "errors" text not null, "published" integer not null,
      "pin" integer) strict`,
    `create unique index "interfaces_id" on "interfaces" ("namespace", "id")`,
    `create unique index "interfaces_version" on "interfaces" ("namespace", "name", "version")`,
    `create index "interfaces_by_networkName" on "interfaces" ("networkName") where "networkName" is not null`,

    `create table "apis" (
      "sequence" integer primary key autoincrement, "namespace" text not null, "id" text not null, "message" text,
      "name" text not null, "networkName" text, "interface" text not null, "location" text,
      "published" integer not null, "pin" integer) strict`,
    `create unique index "apis_id" on "apis" ("namespace", "id")`,
    `create unique index "apis_name" on "apis" ("namespace", "name")`,
    `create index "apis_by_networkName" on "apis" ("networkName") where "networkName" is not null`,

    `create table "listeners" (
      "sequence" integer primary key autoincrement, "namespace" text not null, "id" text not null, "interface" text,
      "name" text not null, "backendId" text not null, "location" text, "event" text, "signature" text not null,
      "topic" text not null, "options" text not null, "filters" text not null, "state" text not null,
      "firstBlock" integer, "created" text not null, "updated" text) strict`,
    `create unique index "listeners_id" on "listeners" ("namespace", "id")`,
    `create unique index "listeners_name" on "listeners" ("namespace", "name")`,

    `create table "blockchainevents" (
      "sequence" integer primary key autoincrement, "namespace" text not null, "id" text not null,
      "source" text not null, "name" text not null, "listener" text, "origin" text not null,
      "protocolId" text not null, "output" text not null, "info" text not null, "timestamp" text not null,
      "txtype" text, "txid" text, "blockchainId" text) strict`,
    `create unique index "blockchainevents_id" on "blockchainevents" ("id")`,
    `create unique index "blockchainevents_protocolId" on "blockchainevents" ("namespace", "origin", "protocolId")`,
    `create index "blockchainevents_by_listener" on "blockchainevents" ("listener") where "listener" is not null`,
    `create index "blockchainevents_by_txid" on "blockchainevents" ("txid") where "txid" is not null`,
    `create index "blockchainevents_by_blockchainId" on "blockchainevents" ("blockchainId")
      where "blockchainId" is not null`,

    `alter table "messages" add column "parentType" text`,
    `alter table "messages" add column "parentId" text`,
    `create index "messages_by_parentId" on "messages" ("parentId") where "parentId" is not null`,
    `alter table "operations" add column "transactionHash" text`,
    `create index "operations_by_transactionHash" on "operations" ("transactionHash")
      where "transactionHash" is not null`,
    `alter table "events" add column "chainName" text`,
    `alter table "events" add column "listener" text`,

    // The planner's statistics of the new indexes; see the first migration.
    `insert into sqlite_stat1 (tbl, idx, stat) values
      ('pools', 'pools_id', '1000 500 1'), ('pools', 'pools_name', '1000 500 1'),
      ('pools', 'pools_by_chainKey', '1000 1'), ('pools', 'pools_by_address', '1000 20'),
      ('pools', 'pools_by_networkName', '1000 1'), ('pools', 'pools_by_txid', '1000 1'),
      ('transfers', 'transfers_localId', '1000000 1'),
      ('transfers', 'transfers_protocolId', '1000000 500000 1000 1'),
      ('transfers', 'transfers_by_message', '100000 1'), ('transfers', 'transfers_by_from', '1000000 1000'),
      ('transfers', 'transfers_by_to', '1000000 1000'), ('approvals', 'approvals_localId', '10000 1'),
      ('approvals', 'approvals_protocolId', '10000 5000 10 1'), ('approvals', 'approvals_by_subject', '10000 2'),
      ('approvals', 'approvals_by_message', '1000 1'), ('balances', 'balances_key', '100000 50000 100 20 1'),
      ('balances', 'balances_by_key', '100000 20'), ('accounts', 'accounts_key', '10000 5000 1'),
      ('accountpools', 'accountpools_pool', '20000 10000 2 1'),
      ('accountpools', 'accountpools_by_pool', '20000 20'), ('sources', 'sources_subject', '1000 500 1'),
      ('sources', 'sources_by_subject', '1000 1'), ('interfaces', 'interfaces_id', '100 50 1'),
      ('interfaces', 'interfaces_version', '100 50 2 1'), ('interfaces', 'interfaces_by_networkName', '100 1'),
      ('apis', 'apis_id', '100 50 1'), ('apis', 'apis_name', '100 50 1'), ('apis', 'apis_by_networkName', '100 1'),
      ('listeners', 'listeners_id', '100 50 1'), ('listeners', 'listeners_name', '100 50 1'),
      ('blockchainevents', 'blockchainevents_id', '1000000 1'),
      ('blockchainevents', 'blockchainevents_protocolId', '1000000 500000 1000 1'),
      ('blockchainevents', 'blockchainevents_by_listener', '1000000 1000'),
      ('blockchainevents', 'blockchainevents_by_txid', '1000000 1'),
      ('blockchainevents', 'blockchainevents_by_blockchainId', '1000000 1'),
      ('messages', 'messages_by_parentId', '100000 1'), ('operations', 'operations_by_transactionHash', '30000 1')`,
  ],
} as const;
