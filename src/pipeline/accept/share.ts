import { systemNamespace } from '../../domain/network/identity.js';
import type { Reader } from '../../ports/database.js';
import { every } from '../../ports/tables/where.js';
import { ServiceError } from '../../wire/errors/error.js';
import type { Message } from '../../wire/messages/message.js';

/** A record that is published by a definition, or local. */
export interface Shared<Record> {
  readonly record: Record;
  /** The message with its definition; undefined for a local record. */
  readonly message: Message | undefined;
}

/** Refuses the system namespace, which users cannot write to. @throws ServiceError namespace_read_only */
export function refuseSystemNamespace(namespace: string): void {
  if (namespace === systemNamespace) throw new ServiceError('namespace_read_only', { namespace });
}

/** Whether the message that publishes a record is confirmed or may still be; false after a cancellation. */
export async function isOnItsWay(reader: Reader, message: string | null): Promise<boolean> {
  if (message === null) return false;
  return reader.has('messages', { namespace: every, id: message, state: ['ready', 'confirmed'] });
}
