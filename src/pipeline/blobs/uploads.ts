import type { Unit } from '../../ports/database.js';
import type { Random } from '../../ports/random.js';
import type { DataRow, ItemReference, NewRow, OperationType } from '../../ports/tables/tables.js';
import { every, mentioning } from '../../ports/tables/where.js';
import { textOf } from '../../wire/json/json.js';
import type { Bell } from '../bus.js';
import { exactItems } from '../state/messages/exact.js';
import { newOperation, storeLane } from '../operations/operation.js';
import { newSubmittedEvent } from '../state/events/event-row.js';
import { newTransaction } from '../state/chain/transaction-row.js';

export interface Publication {
  readonly namespace: string;
  readonly created: string;
  readonly random: Random;
  readonly idempotencyKey?: string | undefined;
}

/**
 * Inserts uploads of the blobs of a broadcast that are not in the shared store (docs/protocol.md §7.3), once per item,
 * in the unit that accepts it. Returns the bells to ring.
 */
export async function insertBlobUploads(
  unit: Unit,
  publication: Publication & { readonly items: readonly ItemReference[] },
): Promise<readonly Bell[]> {
  const { namespace, items } = publication;
  const rows = await exactItems(unit, items, { namespace });
  const wanted: DataRow[] = [];
  for (const row of rows.values()) {
    if (row.blobHash === null || (await forgetUntried(unit, row)).blobPublic !== null) continue;
    if (!(await isUnderWay(unit, row, 'sharedstorage_upload_blob'))) wanted.push(row);
  }
  if (wanted.length === 0) return [];
  await insertUploads(unit, wanted, 'sharedstorage_upload_blob', publication);
  return ['operations', 'events'];
}

/**
 * Removes an item's reference to the shared store, unless this node has put or read the blob there itself: another
 * member's reference may lead nowhere, and a broadcast with it would never be decided anywhere else. Returns the
 * changed item; its broadcast then waits for an upload, as for an item of this node.
 */
export async function forgetUntried(unit: Unit, item: DataRow): Promise<DataRow> {
  const { namespace, id, hash, seal, blobHash, blobPublic } = item;
  if (blobHash === null || blobPublic === null) return item;
  const isTried = await unit.has('operations', {
    namespace: every,
    blob: blobHash,
    type: ['sharedstorage_upload_blob', 'sharedstorage_download_blob'],
    status: 'Succeeded',
    output: mentioning(`"payloadRef":${textOf(blobPublic)}`),
  });
  if (isTried) return item;
  await unit.update('data', { namespace, id, hash, seal }, { blobPublic: null });
  return { ...item, blobPublic: null };
}

/** Inserts uploads of values or blobs, with their transaction. */
export async function insertUploads(
  unit: Unit,
  items: readonly DataRow[],
  type: UploadType,
  { namespace, created, random, idempotencyKey }: Publication,
): Promise<void> {
  const transaction = newTransaction(namespace, { id: random.uuid(), type: 'data_publish', created, idempotencyKey });
  const subject = { namespace, tx: transaction.id, batch: '', batchHash: '', signer: '' };
  await unit.insert('transactions', [transaction]);
  await unit.insert('events', [newSubmittedEvent(transaction, random.uuid())]);
  await unit.insert(
    'operations',
    items.map((item): NewRow<'operations'> => {
      const input = { dataId: item.id, hash: item.hash, seal: item.seal };
      const blob = type === 'sharedstorage_upload_blob' && item.blobHash !== null ? { blob: item.blobHash } : {};
      return newOperation({ id: random.uuid(), type, lane: storeLane, created, subject, input, ...blob });
    }),
  );
}

export type UploadType = Extract<OperationType, 'sharedstorage_upload_blob' | 'sharedstorage_upload_value'>;

/** Whether an upload of exactly this item is in progress. */
export function isUnderWay(unit: Unit, { id, hash, seal, blobHash }: DataRow, type: UploadType): Promise<boolean> {
  return unit.has('operations', {
    namespace: every,
    lane: storeLane,
    type,
    status: ['Initialized', 'Pending'],
    input: mentioning(`"dataId":"${id}"`, `"hash":"${hash}"`, `"seal":"${seal}"`),
    ...(type === 'sharedstorage_upload_blob' && { blob: blobHash ?? '' }),
  });
}
