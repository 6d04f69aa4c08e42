/**
 * The limits that a network was created with. Before this form a node read the log that records them, stopped unless
 * they were these, and stored nothing of it: so a node that has read any of its chain has these limits.
 */
const limits =
  '{"maxBatchMessages":200,"maxBatchDataBytes":819200,"maxPayloadBytes":2097152,"maxTopics":10,"maxDataItems":256,' +
  '"maxGroupMembers":256,"maxNameCharacters":64,"maxTextDepth":80,"maxValueDepth":64,"maxSchemaBytes":65536,' +
  '"maxSubschemas":2000,"maxValidationSteps":1000000}';

/** The stored rules of the network. */
export const networks = {
  number: 5,
  name: 'networks',
  statements: [
    `create table "networks" (
      "sequence" integer primary key autoincrement, "namespace" text not null, "contract" text not null,
      "limits" text not null) strict`,
    `create unique index "networks_contract" on "networks" ("contract")`,
    `insert into "networks" ("namespace", "contract", "limits")
      select "namespace", "contract", '${limits}' from "cursors" where "source" = 'network'`,
    `insert into sqlite_stat1 (tbl, idx, stat) values ('networks', 'networks_contract', '1 1')`,
  ],
} as const;
