/**
 * The time of a rejection has a column of its own: `confirmed` is set on confirmed messages only. Before this form it
 * held the time of either decision.
 */
export const rejections = {
  number: 7,
  name: 'rejections',
  statements: [
    `alter table "messages" add column "rejected" text`,
    `update "messages" set "rejected" = "confirmed", "confirmed" = null where "state" = 'rejected'`,
  ],
} as const;
