import type { IncomingMessage } from 'node:http';
import type { Database } from '../../ports/database.js';
import type { PoolRow } from '../../ports/tables/token-tables.js';
import { not } from '../../ports/tables/where.js';
import type { Access } from '../requests/access.js';

/** Checks whether the caller of a request may move tokens of a pool. Rejects with ServiceError forbidden. */
export type PermitPool = (pool: PoolRow) => Promise<void>;

/**
 * Creates the check of a caller's right to mint, transfer and burn in the pools of its namespaces. The tokens belong to
 * the organisation's key, and any member may define a pool for any contract. So a pool needs a grant if it also belongs
 * to a namespace that the caller may not use, or calls methods chosen by its definition.
 */
export function createPoolRights({
  database,
  access,
}: {
  readonly database: Database;
  readonly access: Pick<Access, 'isGranted' | 'requireGrant' | 'visibleTo'>;
}): (request: IncomingMessage) => PermitPool {
  return (request) => async (pool) => {
    if (access.isGranted(request, 'tokens')) return;
    if (pool.methods !== null) {
      access.requireGrant(request, 'tokens', `the pool ${pool.name}, which calls methods of its contract's own`);
    }
    const { connector, chainKey } = pool;
    const isElsewhere = await database.has('pools', {
      namespace: not(access.visibleTo(request)),
      connector,
      chainKey: chainKey ?? '',
    });
    if (!isElsewhere) return;
    access.requireGrant(request, 'tokens', `the pool ${pool.name}, which is a pool of another namespace too`);
  };
}
