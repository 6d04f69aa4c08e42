import { systemNamespace } from '../../domain/network/identity.js';
import type { Reader } from '../../ports/database.js';
import type { BatchRow, MessageRow } from '../../ports/tables/tables.js';
import { having } from '../../ports/tables/where.js';
import { ServiceError } from '../../wire/errors/error.js';
import { readHash, readId } from '../lists/id.js';

interface Named {
  /** In lower case. */
  readonly id: string;
  readonly hash?: string;
}

/**
 * The message with an id as a namespace sees it: its own, or a definition that the system namespace stores for it,
 * since clients look there with the id that they received (docs/api.md §1). If two messages have the same id: the one
 * that was decided first, or the one with the given hash (docs/api.md §10.5).
 */
export async function seenMessage(reader: Reader, namespace: string, named: Named): Promise<MessageRow | undefined> {
  // All definitions of a namespace share one topic (docs/protocol.md §9).
  const topics = having(`svc_ns_${namespace}`);
  return (
    (await reader.first('messages', { namespace, ...named }, 'rank')) ??
    (await reader.first('messages', { namespace: systemNamespace, ...named, topics }, 'rank'))
  );
}

/** Finds the message that a request names. @throws ServiceError not_uuid, not_hash, not_found */
export async function findMessage(
  reader: Reader,
  namespace: string,
  { id: given, hash: givenHash }: { readonly id: string; readonly hash?: string | undefined },
): Promise<MessageRow> {
  const id = readId('The message id', given);
  const hash = readHash('hash', givenHash);
  const named = { id, ...(hash !== undefined && { hash }) };
  const found = await seenMessage(reader, namespace, named);
  if (found === undefined) throw new ServiceError('not_found', { what: `message ${id} in namespace ${namespace}` });
  return found;
}

/**
 * The batch with an id as a namespace sees it: its own, or one of the system namespace, which has the batches of
 * definitions, and batches of which only the pin is known, until their payload arrives.
 */
export async function seenBatch(reader: Reader, namespace: string, named: Named): Promise<BatchRow | undefined> {
  return (
    (await reader.first('batches', { namespace, ...named })) ??
    (await reader.first('batches', { namespace: systemNamespace, ...named }))
  );
}
