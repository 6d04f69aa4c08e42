import { keyLane } from '../../pipeline/operations/operation.js';
import { type Database, everyNamespace } from '../../ports/database.js';
import type { OperationRow } from '../../ports/tables/tables.js';
import { absent, among, type Condition, equal, oldestFirst } from '../../wire/lists/query.js';
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
  const where = [among('signer', keys), equal('state', 'sealed')];
  const query = { namespace: everyNamespace, where, sort: oldestFirst, limit: keys.length * 2 } as const;
  const sealed = await database.find('batches', query);
  const pins = await Promise.all(
    sealed.map(({ id, hash, signer }) => {
      const ofBatch = [equal('batch', id), equal('batchHash', hash), equal('signer', signer)];
      return findFailed(database, [...ofBatch, equal('type', 'blockchain_pin_batch')]);
    }),
  );
  return pins.flat();
}

function otherCalls(database: Database, keys: readonly string[]): Promise<readonly OperationRow[]> {
  const lanes = keys.map(keyLane);
  return findFailed(database, [among('lane', lanes), { is: 'not', of: equal('type', 'blockchain_pin_batch') }]);
}

function findFailed(database: Database, conditions: readonly Condition[]): Promise<readonly OperationRow[]> {
  const where = [...conditions, equal('status', 'Failed'), absent('retry')];
  const sort = [{ field: 'sequence', descending: true }];
  return database.find('operations', { namespace: everyNamespace, where, sort, limit: 1 });
}
