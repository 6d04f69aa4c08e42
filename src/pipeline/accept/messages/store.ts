import { givenKey, storedKey } from '../../../domain/definition.js';
import { definitionTopic } from '../../../domain/network/identity.js';
import type { Unit } from '../../../ports/database.js';
import type { Random } from '../../../ports/random.js';
import type { NewRow } from '../../../ports/tables/tables.js';
import { every } from '../../../ports/tables/where.js';
import { ServiceError } from '../../../wire/errors/error.js';
import type { Bell } from '../../bus.js';
import { insertBlobUploads } from '../../blobs/uploads.js';
import { exactItems, referenceKey } from '../../common/messages/exact.js';
import { newSends } from '../../operations/outbox.js';
import { newMessageEvent, newSubmittedEvent, newTransaction } from '../../common/rows.js';
import type { ResolvedData } from '../data/data.js';
import type { ResolvedGroup } from '../group.js';

export interface Accepted {
  readonly row: NewRow<'messages'>;
  readonly data: ResolvedData;
  readonly group: ResolvedGroup | undefined;
}

/**
 * Stores an accepted message with its operations and events, in one unit. Returns the bells to ring after the commit.
 *
 * @throws ServiceError idempotency_key_used
 */
export async function storeMessage(unit: Unit, accepted: Accepted, random: Random): Promise<readonly Bell[]> {
  const { row, data, group } = accepted;
  // Units run one at a time, so later requests with the same key are refused here.
  if (row.idempotencyKey !== null) await refuseUsedKey(unit, row, row.idempotencyKey);
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

/** Refuses a key used by a message of the namespace or by a definition for it. */
async function refuseUsedKey(unit: Unit, { type, namespace }: NewRow<'messages'>, stored: string): Promise<void> {
  const key = givenKey(type, stored);
  const topic = type === 'definition' ? stored.slice(0, -key.length - 1) : definitionTopic(namespace);
  const ofDefinition = storedKey(topic, key);
  const used = await unit.rows(
    'messages',
    { namespace: every, idempotencyKey: [key, ofDefinition] },
    { limit: maxUses },
  );
  const first = used.find((row) => {
    if (row.type === 'definition') return row.idempotencyKey === ofDefinition;
    return row.idempotencyKey === key && definitionTopic(row.namespace) === topic;
  });
  if (first !== undefined) throw new ServiceError('idempotency_key_used', { key, id: first.id });
}

/** More namespaces than a node has; each may use a key once. */
const maxUses = 10_000;

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
