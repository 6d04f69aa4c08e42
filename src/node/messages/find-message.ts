import { systemNamespace } from '../../domain/network/identity.js';
import type { Database } from '../../ports/database.js';
import type { MessageRow } from '../../ports/tables/tables.js';
import { ServiceError } from '../../wire/errors/error.js';
import { type Condition, equal } from '../../wire/lists/query.js';
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
  const where = [equal('id', id), ...(hash === undefined ? [] : [equal('hash', hash.toLowerCase())])];
  const found =
    (await findFirst(database, namespace, where)) ??
    (await findFirst(database, systemNamespace, [...where, isDefinitionFor(namespace)]));
  if (found === undefined) throw new ServiceError('not_found', { what: `message ${id} in namespace ${namespace}` });
  return found;
}

/** All definitions of a namespace share one topic (docs/protocol.md §9). */
function isDefinitionFor(namespace: string): Condition {
  return { field: 'topics', is: 'has', of: equal('value', `svc_ns_${namespace}`) };
}

async function findFirst(
  database: Database,
  namespace: string,
  where: readonly Condition[],
): Promise<MessageRow | undefined> {
  const sort = [{ field: 'rank' }, { field: 'sequence' }];
  const [row] = await database.find('messages', { namespace, where, sort, limit: 1 });
  return row;
}
