import type { Database, Reader, Unit } from '../../../ports/database.js';
import type { DataRow } from '../../../ports/tables/tables.js';
import { above, every, mentioning, type Test } from '../../../ports/tables/where.js';
import { ServiceError } from '../../../wire/errors/error.js';
import type { Blobs } from '../../blobs/blobs.js';
import { storeLane } from '../../operations/operation.js';
import type { BatchName } from '../../state/messages/exact.js';
import { type CountedMessage, countedOf, type Counting, findCounting, isStillCounted } from './counted.js';
import { findItem } from './item.js';
import { refuseSystemNamespace } from '../share.js';

export interface RemoverParts {
  readonly database: Database;
  readonly blobs: Blobs;
}

/**
 * Deletes an item, and its blob if nothing else needs it; messages keep their references (docs/api.md §11.3).
 *
 * @throws ServiceError namespace_read_only, not_uuid, not_found, data_needed
 */
export type RemoveData = (namespace: string, dataid: string) => Promise<void>;

const maxRead = 500;

export function createRemoveData({ database, blobs }: RemoverParts): RemoveData {
  return async (namespace, dataid) => {
    refuseSystemNamespace(namespace);
    const item = await findItem(database, namespace, dataid);
    // The long table is read before the unit, which then only reads newer rows.
    const earlier = await usesOf(database, item, 0);
    const counting = await findCounting(database, earlier.pinned, 0);
    const remove = (unit: Unit): Promise<void> => removeUnneeded(unit, item, { ...earlier, counting });
    await (item.blobHash === null ? database.transaction(remove) : blobs.remove(item.blobHash, remove));
  };
}

async function removeUnneeded(unit: Unit, { namespace, id, hash, seal }: DataRow, earlier: Earlier): Promise<void> {
  const item = await findItem(unit, namespace, id);
  if (item.hash !== hash || item.seal !== seal) throw new ServiceError('not_found', { what: `data item ${id}` });
  if (await unit.has('messages', { namespace, state: ['ready', 'staged'], data: mentioningId(id) })) {
    throw needed(id, 'an undecided message');
  }
  const later = await usesOf(unit, item, earlier.newest);
  if (await isStillCounted(unit, await countingOf(unit, earlier, later), [...earlier.pinned, ...later.pinned])) {
    throw needed(id, 'an undecided message of its batch');
  }
  if (await hasOpenSends(unit, [...earlier.txids, ...later.txids])) throw needed(id, 'a message on its way');
  const input = mentioning(`"dataId":"${id}"`);
  if (await unit.has('operations', { namespace, lane: storeLane, status: open, input })) throw needed(id, 'an upload');
  await unit.remove('data', { namespace, id, hash, seal });
  if (item.blobHash !== null) await removeBlob(unit, id, item.blobHash);
}

async function removeBlob(unit: Unit, id: string, blob: string): Promise<void> {
  if (await unit.has('data', { namespace: every, blobHash: blob })) return;
  if (await unit.has('claims', { blob })) return;
  if (await unit.has('operations', { namespace: every, blob, status: open }))
    throw needed(id, 'a transfer of its blob');
  await unit.remove('blobs', { hash: blob });
}

/** The messages that have an item. */
interface Uses {
  /** Transactions of unpinned messages, whose envelopes are built from the item itself. */
  readonly txids: readonly string[];
  /** Pinned messages in which the item is a typed value. */
  readonly pinned: readonly CountedMessage[];
  /** Sequence of the newest message that was read. */
  readonly newest: number;
}

interface Earlier extends Uses {
  readonly counting: Counting;
}

async function usesOf(database: Reader, item: DataRow, after: number): Promise<Uses> {
  const { namespace, id, hash } = item;
  const isTyped = item.validator !== 'none' && item.datatypeName !== null;
  const last = await database.last('messages', { namespace });
  const [txids, pinned]: [string[], CountedMessage[]] = [[], []];
  for (let from = after; ;) {
    const rows = await database.rows(
      'messages',
      { namespace, sequence: above(from), data: mentioningId(id), ...(!isTyped && { txtype: unpinned }) },
      { limit: maxRead },
    );
    for (const row of rows) {
      if (row.txtype !== 'batch_pin') txids.push(...(row.txid === null ? [] : [row.txid]));
      else if (row.data.some((each) => each.id === id && each.hash === hash)) pinned.push(countedOf(row));
    }
    from = rows.at(-1)?.sequence ?? from;
    if (rows.length < maxRead) return { txids, pinned, newest: Math.max(last?.sequence ?? 0, from) };
  }
}

const unpinned = ['none', 'unpinned'] as const;

/** Returns the batches to check in the unit: those found before it, and newer ones. */
async function countingOf(unit: Unit, { pinned, counting }: Earlier, later: Uses): Promise<readonly BatchName[]> {
  const since = await findCounting(unit, [...pinned, ...later.pinned], counting.newest);
  return [...counting.batches, ...since.batches];
}

async function hasOpenSends(unit: Unit, txids: readonly string[]): Promise<boolean> {
  for (let start = 0; start < txids.length; start += maxRead) {
    const tx = txids.slice(start, start + maxRead);
    if (await unit.has('operations', { namespace: every, tx, status: open })) return true;
  }
  return false;
}

const open = ['Initialized', 'Pending'] as const;

function mentioningId(id: string): Test<never> {
  return mentioning(`"id":"${id}"`);
}

function needed(id: string, what: string): ServiceError {
  return new ServiceError('data_needed', { id, what });
}
