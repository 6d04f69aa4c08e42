/** What judging the typed values of an accepted message counts: a batch is filled with no more than it may take. */
export const steps = {
  number: 8,
  name: 'steps',
  statements: [`alter table "messages" add column "steps" integer not null default 0`],
} as const;
