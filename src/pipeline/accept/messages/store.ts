import type { Unit } from '../../../ports/database.js';
import type { Random } from '../../../ports/random.js';
import type { NewRow } from '../../../ports/tables/tables.js';
import { ServiceError } from '../../../wire/errors/error.js';
import type { Bell } from '../../bus.js';
import { insertBlobUploads } from '../../blobs/uploads.js';
import { exactItems, referenceKey } from '../../state/messages/exact.js';
import { newSends } from '../../operations/outbox.js';
import { newMessageEvent, newSubmittedEvent } from '../../state/events/event-row.js';
import { newTransaction } from '../../state/chain/transaction-row.js';
import type { ResolvedData } from '../data/data.js';
import type { ResolvedGroup } from '../group.js';
import type { Recheck } from './used-keys.js';

export interface Accepted {
  readonly row: NewRow<'messages'>;
  readonly data: ResolvedData;
  readonly group: ResolvedGroup | undefined;
  readonly recheckKey: Recheck;
}

/**
 * Stores an accepted message with its operations and events, in one unit. Returns the bells to ring after the commit.
 *
 * @throws ServiceError idempotency_key_used
 */
export async function storeMessage(unit: Unit, accepted: Accepted, random: Random): Promise<readonly Bell[]> {
  const { row, data, group, recheckKey } = accepted;
  await recheckKey(unit);
  await assertHeld(unit, row.namespace, data);
  await unit.insert('data', data.created);
  if (group !== undefined) await unit.put('groups', [{ ...group.group, message: row.id }]);
  await unit.insert('messages', [row]);
  // The blobs of a staged message are uploaded once its operation has succeeded.
  if (row.state === 'staged') return [];
  if (row.type === 'broadcast' && row.hasBlobs) {
    const { namespace, created } = row;
    const uploads = await insertBlobUploads(unit, { namespace, items: data.references, created, random });
    return ['messages', ...uploads];
  }
  if (row.txid === null || group === undefined) return ['messages'];
  await sendUnpinned(unit, accepted, { ...group, txid: row.txid }, random);
  return ['events', 'operations'];
}

/** Checks that data found before the unit still exists. @throws ServiceError data_unknown */
async function assertHeld(unit: Unit, namespace: string, { references, created }: ResolvedData): Promise<void> {
  const own = new Set(created.map(({ id }) => id));
  const held = references.filter(({ id }) => !own.has(id));
  const rows = await exactItems(unit, held, { namespace });
  const missing = held.find((reference) => !rows.has(referenceKey(reference)));
  if (missing !== undefined) throw new ServiceError('data_unknown', { id: missing.id, namespace });
}

/** Confirms an unpinned message at once and inserts its envelopes (docs/protocol.md §11.5). */
async function sendUnpinned(
  unit: Unit,
  { row, data }: Accepted,
  { group, self, txid }: ResolvedGroup & { readonly txid: string },
  random: Random,
): Promise<void> {
  const { namespace, created } = row;
  const subject = { namespace, tx: txid, batch: '', batchHash: '', signer: '' };
  const { members, hash } = group;
  const items = [...data.items.values()];
  const parcel = { members, group: hash, node: self.node, subject, message: row, items, created };
  const transaction = newTransaction(namespace, { id: txid, type: row.txtype, created });
  await unit.insert('transactions', [transaction]);
  await unit.insert('events', [
    newSubmittedEvent(transaction, random.uuid()),
    newMessageEvent(row, { id: random.uuid(), state: 'confirmed', tx: txid, created }),
  ]);
  await unit.insert('operations', newSends(parcel, random));
}
