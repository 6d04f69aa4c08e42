import { systemNamespace } from '../../domain/network/identity.js';
import type { Database } from '../../ports/database.js';
import type { MessageRow } from '../../ports/tables/tables.js';
import { having } from '../../ports/tables/where.js';
import { ServiceError } from '../../wire/errors/error.js';
import { uuidPattern } from '../../wire/scalar.js';

/**
 * Finds a message by id, as a namespace sees it: its own, or a definition that the system namespace keeps for it, since
 * clients look there with the id that they were given (docs/api.md §1). If two messages have the same id, the one that
 * was decided first, or the one with the given hash (docs/api.md §10.5).
 *
 * @throws ServiceError not_uuid, not_found
 */
export async function findMessage(
  database: Database,
  namespace: string,
  { id: given, hash }: { readonly id: string; readonly hash?: string | undefined },
): Promise<MessageRow> {
  const id = given.toLowerCase();
  if (!uuidPattern.test(id)) throw new ServiceError('not_uuid', { field: 'The message id', actual: given });
  const named = { id, ...(hash !== undefined && { hash: hash.toLowerCase() }) };
  // All definitions of a namespace share one topic (docs/protocol.md §9).
  const topics = having(`svc_ns_${namespace}`);
  const found =
    (await database.first('messages', { namespace, ...named }, 'rank')) ??
    (await database.first('messages', { namespace: systemNamespace, ...named, topics }, 'rank'));
  if (found === undefined) throw new ServiceError('not_found', { what: `message ${id} in namespace ${namespace}` });
  return found;
}
