import { keyLane } from '../../pipeline/operations/operation.js';
import type { Database } from '../../ports/database.js';
import type { OperationRow } from '../../ports/tables/tables.js';
import { type Columns, every, not } from '../../ports/tables/where.js';
import type { Status } from '../../wire/network/status.js';

/**
 * The calls of this node's keys that failed for good, as the status shows them. A failed pin blocks all later messages
 * of its key until it is retried or its batch is cancelled, and is listed until then (docs/api.md §12); of other calls
 * the last is listed until it is retried.
 */
export async function failedCalls(database: Database, keys: readonly string[]): Promise<Status['parley']['waiting']> {
  const [pins, others] = await Promise.all([failedPins(database, keys), otherCalls(database, keys)]);
  return [...pins, ...others].map(({ type, batch, updated, error }) => {
    const what = type === 'blockchain_pin_batch' ? `the pin of batch ${batch}` : 'a call of the registry';
    return { service: 'chain', since: updated, error: `${what} has failed: ${error ?? ''}` };
  });
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

function otherCalls(database: Database, keys: readonly string[]): Promise<readonly OperationRow[]> {
  return findFailed(database, { lane: keys.map(keyLane), type: not('blockchain_pin_batch') });
}

/** Finds the newest, if there is one. */
function findFailed(database: Database, columns: Columns<'operations'>): Promise<readonly OperationRow[]> {
  const where = { namespace: every, ...columns, status: 'Failed', retry: null } as const;
  return database.rows('operations', where, { limit: 1, newestFirst: true });
}
