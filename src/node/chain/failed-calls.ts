import { systemNamespace } from '../../domain/network/identity.js';
import type { Registration } from '../../pipeline/announce.js';
import { keyLane } from '../../pipeline/operations/operation.js';
import type { Database } from '../../ports/database.js';
import type { OperationRow } from '../../ports/tables/tables.js';
import { type Columns, every } from '../../ports/tables/where.js';
import type { Status } from '../../wire/network/status.js';

/**
 * The calls of this node that have failed permanently and still need attention, as the status shows them. A failed pin
 * blocks all later messages of its key, and is listed until it is retried or its batch is cancelled (docs/api.md §12),
 * without its batch and error if the caller may not read the namespace of that batch. The failed registration of the
 * node is listed until it is retried or the registry has the node's entry. A user's identity request that the registry
 * refused is not listed.
 */
export async function failedCalls(
  database: Database,
  keys: readonly string[],
  registration: Pick<Registration, 'matches'>,
  mayRead: (namespace: string) => boolean,
): Promise<Status['parley']['waiting']> {
  const [pins, registrations] = await Promise.all([
    failedPins(database, keys),
    registration.matches ? [] : failedRegistration(database, keys),
  ]);
  return [
    ...pins.map(({ namespace, batch, updated, error }) => {
      const text = mayRead(namespace)
        ? `the pin of batch ${batch} has failed: ${error ?? ''}`
        : 'the pin of a batch in another namespace has failed';
      return { service: 'chain', since: updated, error: text };
    }),
    ...registrations.map(({ updated, error }) => {
      const text = `the registration of this node has failed: ${error ?? ''}`;
      return { service: 'chain', since: updated, error: text };
    }),
  ];
}

/** The failed pins, among the batches that are sealed and not pinned; a key has at most two. */
async function failedPins(database: Database, keys: readonly string[]): Promise<readonly OperationRow[]> {
  const sealed = await database.rows(
    'batches',
    { namespace: every, signer: keys, state: 'sealed' },
    { limit: keys.length * 2 },
  );
  const pins = await Promise.all(
    sealed.map(({ id, hash, signer }) => {
      const type = 'blockchain_pin_batch';
      return findFailed(database, { batch: id, batchHash: hash, signer, type });
    }),
  );
  return pins.flat();
}

/** The newest call that registers this node, if it failed. No user's request is in the system namespace. */
async function failedRegistration(database: Database, keys: readonly string[]): Promise<readonly OperationRow[]> {
  const type = 'blockchain_register_identity';
  const where = { namespace: systemNamespace, lane: keys.map(keyLane), type } as const;
  const newest = await database.rows('operations', where, { limit: 1, newestFirst: true });
  return newest.filter(({ status, retry }) => status === 'Failed' && retry === null);
}

/** Finds the newest failed operation, if there is one. */
function findFailed(database: Database, columns: Columns<'operations'>): Promise<readonly OperationRow[]> {
  const where = { namespace: every, ...columns, status: 'Failed', retry: null } as const;
  return database.rows('operations', where, { limit: 1, newestFirst: true });
}
