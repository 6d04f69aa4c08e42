const kinds = [
  'private',
  'definition',
  'transfer_broadcast',
  'transfer_private',
  'approval_broadcast',
  'approval_private',
] as const;

/**
 * Indexes for the common filters of lists, those that cost a message nothing that could be measured: no row of them
 * changes when a message is decided, and an ordinary broadcast has none in most.
 */
export const listFilters = {
  number: 10,
  name: 'list filters',
  statements: [
    `create index "messages_txid" on "messages" ("txid") where "txid" is not null`,
    `create index "messages_staged" on "messages" ("namespace", "rank") where "state" = 'staged'`,
    ...kinds.map(
      (kind) => `create index "messages_${kind}" on "messages" ("namespace", "rank") where "type" = '${kind}'`,
    ),
    `create index "events_type" on "events" ("namespace", "type")`,
    `create index "events_tx" on "events" ("tx") where "tx" is not null`,
    `create index "events_correlator" on "events" ("correlator") where "correlator" is not null`,
    `create index "data_created" on "data" ("namespace", "created")`,
    `create index "data_datatype" on "data" ("namespace", "datatypeName") where "datatypeName" is not null`,
    `create index "data_blobname" on "data" ("namespace", "blobName") where "blobName" is not null`,
    `create index "operations_type" on "operations" ("namespace", "type")`,
    `create index "transfers_by_key" on "transfers" ("key")`,
    `create index "transfers_by_txid" on "transfers" ("txid") where "txid" is not null`,

    // The planner's statistics of the new indexes; see the first migration.
    `insert into sqlite_stat1 (tbl, idx, stat) values
      ('messages', 'messages_txid', '1000000 100'),
      ('messages', 'messages_staged', '100 50 1'),
      ${kinds.map((kind) => `('messages', 'messages_${kind}', '10000 5000 2')`).join(', ')},
      ('events', 'events_type', '1000000 500000 100000'), ('events', 'events_tx', '1000000 100'),
      ('events', 'events_correlator', '10000 2'),
      ('data', 'data_created', '1000000 500000 5'),
      ('data', 'data_datatype', '100000 50000 1000'), ('data', 'data_blobname', '10000 5000 1'),
      ('operations', 'operations_type', '30000 15000 5000'),
      ('transfers', 'transfers_by_key', '100000 1000'), ('transfers', 'transfers_by_txid', '100000 2')`,
  ],
} as const;
