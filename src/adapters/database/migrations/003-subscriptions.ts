/** Durable subscriptions, and the columns of events that a filter can test without other tables. */
export const subscriptions = {
  number: 3,
  name: 'subscriptions',
  statements: [
    `create table "subscriptions" (
      "sequence" integer primary key autoincrement, "namespace" text not null, "id" text not null,
      "name" text not null, "transport" text not null, "filter" text not null, "options" text not null,
      "cursor" integer not null, "created" text not null, "updated" text) strict`,
    `create unique index "subscriptions_id" on "subscriptions" ("id")`,
    `create unique index "subscriptions_name" on "subscriptions" ("namespace", "name")`,

    `alter table "events" add column "author" text`,
    `alter table "events" add column "group" text`,
    `alter table "events" add column "tag" text`,
    `alter table "events" add column "txtype" text`,
    `update "events" set ("author", "group", "tag") =
      (select "author", "group", "tag" from "messages"
        where "messages"."id" = "events"."reference" and "messages"."hash" = "events"."referenceHash")
      where "type" in ('message_confirmed', 'message_rejected')`,
    `update "events" set "txtype" = (select "type" from "transactions" where "transactions"."id" = "events"."tx")
      where "tx" is not null`,

    // An item is identified by what its batch declares: no hash covers its datatype, or whether its bytes are a value
    // or a blob.
    `alter table "data" add column "seal" text not null default ''`,
    `drop index "data_id"`,
    `create unique index "data_id" on "data" ("id", "hash", "seal")`,

    // The planner's statistics of the new indexes; see the first migration.
    `insert into sqlite_stat1 (tbl, idx, stat) values
      ('data', 'data_id', '1000000 1 1 1'),
      ('subscriptions', 'subscriptions_id', '500 1'), ('subscriptions', 'subscriptions_name', '500 250 1')`,
  ],
} as const;
