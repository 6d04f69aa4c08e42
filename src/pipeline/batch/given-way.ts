import type { Database } from '../../ports/database.js';
import type { BatchRow } from '../../ports/tables/tables.js';
import { every } from '../../ports/tables/where.js';
import type { Bell } from '../bus.js';
import { insertRetry } from '../operations/retried.js';
import { pinThatGaveWay } from '../state/chain/pin-turn.js';
import type { SealParts } from './seal.js';

/**
 * Retries the pins that gave way to an earlier batch after a reorganisation, each once its batch is the first of its
 * key and kind that is not pinned.
 *
 * @param sealed the batches that are not pinned, in the order of their sealing
 */
export async function retryGivenWay(
  { database, random, clock }: Pick<SealParts, 'random' | 'clock'> & { readonly database: Database },
  sealed: readonly BatchRow[],
): Promise<readonly Bell[]> {
  let hasRetried = false;
  for (const batch of firstOfEach(sealed)) {
    // Asked first, since open operations are in memory: under load this runs often.
    if (await isUnderWay(database, batch)) continue;
    if ((await pinThatGaveWay(database, batch)) === undefined) continue;
    const [id, now] = [random.uuid(), clock.now()];
    const isRetried = await database.transaction(async (unit) => {
      const { namespace, id: batchId, hash, signer } = batch;
      const isSealed = await unit.has('batches', { namespace, id: batchId, hash, signer, state: 'sealed' });
      const pin = await pinThatGaveWay(unit, batch);
      if (pin === undefined || !isSealed) return false;
      await insertRetry(unit, pin, id, now);
      return true;
    });
    hasRetried ||= isRetried;
  }
  return hasRetried ? ['operations'] : [];
}

/** Whether the batch is being stored or pinned. */
function isUnderWay(database: Database, { id: batch, hash: batchHash, signer }: BatchRow): Promise<boolean> {
  const type = ['sharedstorage_upload_batch', 'blockchain_pin_batch'] as const;
  return database.has('operations', { namespace: every, batch, batchHash, signer, type, status: open });
}

const open = ['Initialized', 'Pending'] as const;

function firstOfEach(sealed: readonly BatchRow[]): readonly BatchRow[] {
  const lanes = new Map<string, BatchRow>();
  for (const batch of [...sealed].reverse()) lanes.set(`${batch.type}/${batch.signer}`, batch);
  return [...lanes.values()];
}
