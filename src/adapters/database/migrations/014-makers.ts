/** The credential that made a subscription, which decides what replies of its webhook are signed with. */
export const makers = {
  number: 14,
  name: 'makers',
  statements: [`alter table "subscriptions" add column "maker" text`],
} as const;
