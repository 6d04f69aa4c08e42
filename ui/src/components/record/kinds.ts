import type { MessageType } from '../../../../src/wire/messages/message.js';

/** The four kinds of messages that charts and lists tell apart, in their fixed order. */
export const kinds = ['broadcast', 'private', 'definition', 'token'] as const;
export type Kind = (typeof kinds)[number];

const kindOfType: Readonly<Record<MessageType, Kind>> = {
  broadcast: 'broadcast',
  private: 'private',
  definition: 'definition',
  transfer_broadcast: 'token',
  transfer_private: 'token',
  approval_broadcast: 'token',
  approval_private: 'token',
};

/** The kind of a type of messages; of a type that is new, the last. */
export function kindOf(type: string): Kind {
  const known: Readonly<Record<string, Kind>> = kindOfType;
  return known[type] ?? 'token';
}
