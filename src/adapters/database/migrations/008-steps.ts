/**
 * The number of steps that judging the typed values of an accepted message takes: the sealer fills a batch up to its
 * budget.
 */
export const steps = {
  number: 8,
  name: 'steps',
  statements: [`alter table "messages" add column "steps" integer not null default 0`],
} as const;
