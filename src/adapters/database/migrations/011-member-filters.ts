/** The rank of a message that is not decided is above all times. */
const decided = `where "rank" < '~'`;
const several = `where instr("topics", '","') > 0`;

/**
 * Indexes for lists by author, key and topic. A message enters them when it is decided, at the end of its author or
 * topic: one entry from the start, which moves with the verdict, would cost a full batch a fifth of its writes. Nearly
 * every row has one topic, and is found by its whole list; the rows with several are few, and looked through.
 */
export const memberFilters = {
  number: 11,
  name: 'member filters',
  statements: [
    `create index "messages_author" on "messages" ("namespace", "author", "rank") ${decided}`,
    `create index "messages_key" on "messages" ("namespace", "key", "rank") ${decided}`,
    `create index "messages_topics" on "messages" ("namespace", "topics", "rank") ${decided}`,
    // With the topics, so that those of other rows are passed without a look at the row.
    `create index "messages_severaltopics" on "messages" ("namespace", "rank", "sequence", "topics") ${several}`,
    `create index "events_topics" on "events" ("namespace", "topics")`,
    `create index "events_severaltopics" on "events" ("namespace", "sequence", "topics") ${several}`,
    // `events_type` serves rejections as well.
    `drop index "events_rejected"`,
    `delete from sqlite_stat1 where idx = 'events_rejected'`,

    // The planner's statistics of the new indexes; see the first migration.
    `insert into sqlite_stat1 (tbl, idx, stat) values
      ('messages', 'messages_author', '1000000 500000 100000 5'),
      ('messages', 'messages_key', '1000000 500000 100000 5'),
      ('messages', 'messages_topics', '1000000 500000 10000 5'),
      ('messages', 'messages_severaltopics', '10000 5000 2 1 1'),
      ('events', 'events_topics', '1000000 500000 10000'), ('events', 'events_severaltopics', '10000 5000 1 1')`,
  ],
} as const;
