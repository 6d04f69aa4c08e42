import type { Reader } from '../../../ports/database.js';
import type { BatchRow, OperationRow } from '../../../ports/tables/tables.js';
import { every } from '../../../ports/tables/where.js';
import { afterField } from './stored-call.js';

/** The turn of a pin: `passed` means that it has a nonce before the one that an earlier pin has yet to get. */
export type PinTurn = 'now' | 'later' | 'passed';

export const notItsTurn = 'It waits for an earlier batch of its key, which is not pinned: its pin was reverted.';

/** The error of a pin that has left its nonce to an empty call. */
const gaveWay = 'An earlier batch of its key was not pinned again after a reorganisation: the chain reverted its pin.';
export const gaveWayError = `${gaveWay} Retry that pin or cancel that batch; then this one is pinned.`;

/**
 * Decides whether a pin may be sent after a reorganisation: batches of a key and kind are pinned in the order of their
 * sealing (docs/protocol.md §7.2), and the pin of an earlier one may be reverted when it is sent again. Without a
 * reorganisation only one batch is sealed at a time.
 */
export async function turnOf(database: Reader, operation: OperationRow): Promise<PinTurn> {
  const { batch: id, batchHash: hash, signer, input, nonce } = operation;
  if (!(afterField in input)) return 'now';
  const batch = await database.first('batches', { id, hash, signer });
  if (batch === undefined) return 'now';
  const first = await database.first('batches', { namespace: every, signer, type: batch.type, state: 'sealed' });
  if (first === undefined || first.sequence >= batch.sequence) return 'now';
  if (nonce === null) return 'later';
  const ahead = await newestPin(database, first);
  const isOpen = ahead?.status === 'Initialized' || ahead?.status === 'Pending';
  return isOpen && ahead.nonce !== null && ahead.nonce < nonce ? 'later' : 'passed';
}

/** Returns the pin of a batch that left its nonce to an empty call and has not been retried. */
export async function pinThatGaveWay(database: Reader, batch: BatchRow): Promise<OperationRow | undefined> {
  const pin = await newestPin(database, batch);
  return pin?.status === 'Failed' && hasGivenWay(pin.error) ? pin : undefined;
}

export function hasGivenWay(error: string | null): boolean {
  return error === gaveWayError;
}

function newestPin(database: Reader, { id, hash, signer }: BatchRow): Promise<OperationRow | undefined> {
  return database.last('operations', {
    namespace: every,
    batch: id,
    batchHash: hash,
    signer,
    type: 'blockchain_pin_batch',
  });
}
