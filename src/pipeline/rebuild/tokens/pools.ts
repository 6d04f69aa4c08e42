import { poolTag } from '../../../domain/definition.js';
import type { Unit } from '../../../ports/database.js';
import type { MessageRow } from '../../../ports/tables/tables.js';
import type { PoolRow } from '../../../ports/tables/token-tables.js';
import { every } from '../../../ports/tables/where.js';
import { referenceKey } from '../../state/messages/exact.js';
import { isCreatedHere, operationsOfPool, removePool, unclaimPool } from '../../state/tokens/pool.js';
import { takeBackEvents } from '../events.js';
import { dropForeignTransactions } from '../transactions.js';

/**
 * Undoes the claims of definitions to pools: a pool of another node is deleted with all its records, and a pool of this
 * node waits for its definition again.
 */
export async function undoPools(
  unit: Unit,
  messages: readonly MessageRow[],
  own: { readonly keys: readonly string[] },
): Promise<void> {
  const definitions = new Map(
    messages.filter(({ tag }) => tag === poolTag).map((message) => [referenceKey(message), message]),
  );
  if (definitions.size === 0) return;
  const claims = [...definitions.keys()];
  for (const pool of await unit.rows('pools', { namespace: every, claim: claims }, { limit: claims.length })) {
    const message = definitions.get(pool.claim ?? '');
    // A pool of this node whose definition is not decided.
    if (!pool.published) {
      await unclaimPool(unit, pool);
      continue;
    }
    const isOwn = message !== undefined && own.keys.includes(message.key);
    await takeBackEvents(unit, ['token_pool_confirmed'], [pool.id]);
    if (isOwn) await unclaim(unit, pool);
    else await forgetPool(unit, pool);
  }
}

async function unclaim(unit: Unit, pool: PoolRow): Promise<void> {
  // A pool that was created for all parties is active only with its definition.
  const active = !(await isCreatedHere(unit, pool, { publish: true }));
  const changes = {
    claim: null,
    verified: false,
    refusal: null,
    pin: null,
    published: false,
    networkName: null,
    active,
  };
  await unit.update('pools', { sequence: pool.sequence }, changes);
}

async function forgetPool(unit: Unit, pool: PoolRow): Promise<void> {
  const checks = (await operationsOfPool(unit, pool, 'token_activate_pool')).map(({ sequence }) => sequence);
  if (checks.length > 0) await unit.remove('operations', { sequence: checks });
  if (pool.txid !== null) await dropForeignTransactions(unit, [pool.txid]);
  await removePool(unit, pool);
}
