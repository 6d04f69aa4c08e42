/** The message that a group came with, and the one that first said something of an identity. */
export const firstMessages = {
  number: 9,
  name: 'first messages',
  statements: [`alter table "groups" add column "message" text`, `alter table "profiles" add column "claim" text`],
} as const;
