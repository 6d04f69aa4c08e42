import type { NewRow } from '../../ports/tables/tables.js';
import type { PoolRow } from '../../ports/tables/token-tables.js';
import { newOperation, sourceLane } from './operation.js';

/** The author of a pool's definition, and the block of the definition's pin. */
export interface Definer {
  readonly author: string;
  readonly block: number;
}

/** Returns a new operation that follows a pool. `definer` is set if a definition claims the pool. */
export function newActivation({
  id,
  tx,
  created,
  namespace,
  pool,
  connector,
  definer = {},
}: {
  readonly id: string;
  readonly tx: string;
  readonly created: string;
  readonly namespace: string;
  readonly pool: string;
  readonly connector: string;
  readonly definer?: (Definer & Pick<PoolRow, 'claim'>) | Readonly<Record<string, never>>;
}): NewRow<'operations'> {
  const subject = { namespace, tx, batch: '', batchHash: '', signer: '' };
  const input = { pool, ...definer };
  return newOperation({ id, type: 'token_activate_pool', lane: sourceLane, connector, created, subject, input });
}
