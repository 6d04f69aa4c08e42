import { everyNamespace, type Unit } from '../../ports/database.js';
import { among, oldestFirst } from '../../wire/lists/query.js';

/**
 * Deletes those of the transactions that other parties have started: they are known from the chain alone, and come
 * again with the hashes of the new history. Operations belong to transactions of this node.
 */
export async function dropForeignTransactions(unit: Unit, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const query = {
    namespace: everyNamespace,
    where: [among('tx', ids)],
    sort: oldestFirst,
    limit: maxOperations,
  } as const;
  const own = new Set((await unit.find('operations', query)).map(({ tx }) => tx));
  const foreign = [...new Set(ids)].filter((id) => !own.has(id));
  if (foreign.length > 0)
    await unit.remove('transactions', { namespace: everyNamespace, where: [among('id', foreign)] });
}

/** More than the transactions of a page have operations. */
const maxOperations = 1_000_000;
