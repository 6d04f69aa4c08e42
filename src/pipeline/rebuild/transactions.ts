import type { Unit } from '../../ports/database.js';
import { every } from '../../ports/tables/where.js';

/**
 * Deletes those of the transactions that other parties started: they are known only from the chain, and return with the
 * hashes of the new history. A transaction with operations, other than requests for batches of others, is
 * this node's own.
 */
export async function dropForeignTransactions(unit: Unit, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const operations = await unit.rows('operations', { namespace: every, tx: ids }, { limit: maxOperations });
  const own = new Set(operations.flatMap(({ type, tx }) => (type === 'dataexchange_request_batch' ? [] : [tx])));
  const foreign = [...new Set(ids)].filter((id) => !own.has(id));
  if (foreign.length > 0) await unit.remove('transactions', { namespace: every, id: foreign });
}

/** More than the transactions of a page have operations. */
const maxOperations = 1_000_000;
