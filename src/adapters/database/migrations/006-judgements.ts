/** Judgements that began and have not ended: after a crash a node knows which of them caused it. */
export const judgements = {
  number: 6,
  name: 'judgements',
  statements: [
    `create table "judgements" (
      "sequence" integer primary key autoincrement, "namespace" text not null, "key" text not null,
      "subject" text not null, "sizeBytes" integer not null, "attempts" integer not null,
      "since" text not null) strict`,
    `create unique index "judgements_key" on "judgements" ("key")`,
    `insert into sqlite_stat1 (tbl, idx, stat) values ('judgements', 'judgements_key', '10 1')`,
  ],
} as const;
