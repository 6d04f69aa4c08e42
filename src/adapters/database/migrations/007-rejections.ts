/**
 * The time of a rejection has a column of its own: `confirmed` stands on confirmed messages alone. Until this form it
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
