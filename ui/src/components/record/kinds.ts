import type { MessageType } from '../../../../src/wire/messages/message.js';

/** The kinds of messages that charts and lists distinguish, in display order. */
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

export const messageTypes: readonly string[] = Object.keys(kindOfType);

/** The kind of a message type; the last for an unknown type. */
export function kindOf(type: string): Kind {
  const known: Readonly<Record<string, Kind>> = kindOfType;
  return known[type] ?? 'token';
}
