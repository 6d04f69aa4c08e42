import type { Unit } from '../../../ports/database.js';
import type { MessageRow } from '../../../ports/tables/tables.js';
import type { PoolRow } from '../../../ports/tables/token-tables.js';
import type { OwnIdentity } from '../identities/own-identity.js';
import { referenceKey } from '../messages/exact.js';
import { abandonPool, isCreatedHere, removePool, unclaimPool } from './pool.js';

/**
 * Deletes the row that was prepared for a definition that is rejected or cancelled. A pool of this node stays, and
 * waits for a later definition that this node has sent. If it has sent none, the pool is unpublished, or deleted if it
 * was created for all parties and is not followed yet.
 */
export async function withdrawPool(
  unit: Unit,
  row: PoolRow | undefined,
  message: MessageRow,
  own: Pick<OwnIdentity, 'keys'>,
): Promise<void> {
  if (row === undefined || row.pin !== null) return;
  const isSent = row.message === message.id && own.keys.includes(message.key);
  const isPrepared = row.claim === referenceKey(message) || (row.claim === null && isSent);
  if (!isPrepared) return;
  // A definition of another member may be followed by one of the pool's new place.
  if (row.published) return isSent ? abandonPool(unit, row) : removePool(unit, row);
  if (!isSent) return unclaimPool(unit, row);
  if (row.state === 'known' && !(await isCreatedHere(unit, row, { publish: false }))) return abandonPool(unit, row);
  await unclaimPool(unit, row);
  const isActive = row.active || row.state === 'followed';
  await unit.update('pools', { sequence: row.sequence }, { message: null, networkName: null, active: isActive });
}
