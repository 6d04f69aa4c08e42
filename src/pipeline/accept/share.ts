import { systemNamespace } from '../../domain/identity.js';
import { everyNamespace, type Reader } from '../../ports/database.js';
import { ServiceError } from '../../wire/error.js';
import type { Message } from '../../wire/message.js';
import { among, equal } from '../../wire/query.js';

/** Something that is shared with all parties by a definition, or is of this node alone. */
export interface Shared<Record> {
  readonly record: Record;
  /** The message that shares it, before it is decided; undefined where nothing is shared. */
  readonly message: Message | undefined;
}

/** Users write nothing into the namespace of the system. @throws ServiceError namespace_read_only */
export function refuseSystemNamespace(namespace: string): void {
  if (namespace === systemNamespace) throw new ServiceError('namespace_read_only', { namespace });
}

/** Whether the message that shares something may still come to its end; one that was cancelled will not. */
export async function isOnItsWay(reader: Reader, message: string | null): Promise<boolean> {
  if (message === null) return false;
  const where = [equal('id', message), among('state', ['ready', 'confirmed'])];
  return (await reader.count('messages', { namespace: everyNamespace, where })) > 0;
}
