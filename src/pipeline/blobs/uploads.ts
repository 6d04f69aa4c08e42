import { everyNamespace, type Unit } from '../../ports/database.js';
import type { Random } from '../../ports/random.js';
import type { DataRow, ItemReference, NewRow, OperationType } from '../../ports/tables/tables.js';
import { among, equal } from '../../wire/lists/query.js';
import type { Bell } from '../bus.js';
import { findExact } from '../common/messages/exact.js';
import { newOperation, storeLane } from '../operations/operation.js';
import { newSubmittedEvent, newTransaction } from '../common/rows.js';

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
  const rows = await findExact(unit, 'data', { namespace }, items);
  const wanted: DataRow[] = [];
  for (const row of rows.values()) {
    if (row.blobHash === null || row.blobPublic !== null) continue;
    if (!(await isUnderWay(unit, row, 'sharedstorage_upload_blob'))) wanted.push(row);
  }
  if (wanted.length === 0) return [];
  await insertUploads(unit, wanted, 'sharedstorage_upload_blob', publication);
  return ['operations', 'events'];
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
export async function isUnderWay(
  unit: Unit,
  { id, hash, seal, blobHash }: DataRow,
  type: UploadType,
): Promise<boolean> {
  const where = [
    equal('lane', storeLane),
    equal('type', type),
    among('status', ['Initialized', 'Pending']),
    ...(type === 'sharedstorage_upload_blob' ? [equal('blob', blobHash ?? '')] : []),
    { field: 'input', is: 'written', of: { field: 'value', is: 'contains', value: `"dataId":"${id}"` } } as const,
    { field: 'input', is: 'written', of: { field: 'value', is: 'contains', value: `"hash":"${hash}"` } } as const,
    { field: 'input', is: 'written', of: { field: 'value', is: 'contains', value: `"seal":"${seal}"` } } as const,
  ];
  return (await unit.count('operations', { namespace: everyNamespace, where })) > 0;
}
