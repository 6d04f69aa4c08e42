import { systemNamespace } from '../../../domain/network/identity.js';
import { type Database, everyNamespace, type Reader, type Selection, type Unit } from '../../../ports/database.js';
import type { DataRow } from '../../../ports/tables/tables.js';
import { ServiceError } from '../../../wire/errors/error.js';
import { among, type Condition, equal, oldestFirst } from '../../../wire/lists/query.js';
import type { Blobs } from '../../blobs/blobs.js';
import { storeLane } from '../../operations/operation.js';
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
    // Reading a long table happens before the unit, which then only reads newer rows.
    const earlier = await unpinnedWith(database, item, 0);
    const remove = (unit: Unit): Promise<void> => removeUnneeded(unit, item, earlier);
    await (item.blobHash === null ? database.transaction(remove) : blobs.remove(item.blobHash, remove));
  };
}

async function removeUnneeded(unit: Unit, { namespace, id, hash, seal }: DataRow, earlier: Unpinned): Promise<void> {
  const item = await findItem(unit, namespace, id);
  if (item.hash !== hash || item.seal !== seal) throw new ServiceError('not_found', { what: `data item ${id}` });
  const undecided = [among('state', ['ready', 'staged']), refersTo(id)];
  if ((await unit.count('messages', { namespace, where: undecided })) > 0) throw needed(id, 'an undecided message');
  const later = await unpinnedWith(unit, item, earlier.newest);
  if (await hasOpenSends(unit, [...earlier.txids, ...later.txids])) throw needed(id, 'a message on its way');
  const ofItem: Condition = { field: 'input', is: 'written', of: contains(`"dataId":"${id}"`) };
  const uploads = [equal('lane', storeLane), isOpen, ofItem];
  if ((await unit.count('operations', { namespace, where: uploads })) > 0) throw needed(id, 'an upload');
  await unit.remove('data', { namespace, where: [equal('id', id), equal('hash', hash), equal('seal', seal)] });
  if (item.blobHash !== null) await removeBlob(unit, id, item.blobHash);
}

async function removeBlob(unit: Unit, id: string, blob: string): Promise<void> {
  const others: Selection = { namespace: everyNamespace, where: [equal('blobHash', blob)] };
  if ((await unit.count('data', others)) > 0) return;
  const claims: Selection = { namespace: everyNamespace, where: [equal('blob', blob)] };
  if ((await unit.count('claims', claims)) > 0) return;
  const transfers: Selection = { namespace: everyNamespace, where: [equal('blob', blob), isOpen] };
  if ((await unit.count('operations', transfers)) > 0) throw needed(id, 'a transfer of its blob');
  await unit.remove('blobs', { namespace: systemNamespace, where: [equal('hash', blob)] });
}

/** Unpinned messages with the item; their envelopes are built from the item itself. */
interface Unpinned {
  readonly txids: readonly string[];
  /** Sequence of the newest message that was read. */
  readonly newest: number;
}

async function unpinnedWith(database: Reader, { namespace, id }: DataRow, after: number): Promise<Unpinned> {
  const [last] = await database.find('messages', {
    namespace,
    where: [],
    sort: [{ field: 'sequence', descending: true }],
    limit: 1,
  });
  const txids: string[] = [];
  for (let from = after; ;) {
    const where = [
      { field: 'sequence', is: 'above', value: from } as const,
      among('txtype', ['none', 'unpinned']),
      refersTo(id),
    ];
    const rows = await database.find('messages', { namespace, where, sort: oldestFirst, limit: maxRead });
    txids.push(...rows.flatMap(({ txid }) => txid ?? []));
    from = rows.at(-1)?.sequence ?? from;
    if (rows.length < maxRead) return { txids, newest: Math.max(last?.sequence ?? 0, from) };
  }
}

async function hasOpenSends(unit: Unit, txids: readonly string[]): Promise<boolean> {
  for (let start = 0; start < txids.length; start += maxRead) {
    const where = [among('tx', txids.slice(start, start + maxRead)), isOpen];
    if ((await unit.count('operations', { namespace: everyNamespace, where })) > 0) return true;
  }
  return false;
}

const isOpen = among('status', ['Initialized', 'Pending']);

function refersTo(id: string): Condition {
  return { field: 'data', is: 'written', of: contains(`"id":"${id}"`) };
}

function contains(value: string): Condition {
  return { field: 'value', is: 'contains', value };
}

function needed(id: string, what: string): ServiceError {
  return new ServiceError('data_needed', { id, what });
}
