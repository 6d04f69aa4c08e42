import { sha256 } from '../../../domain/hash.js';
import { systemNamespace } from '../../../domain/network/identity.js';
import { sealBatch } from '../../../domain/messages/batch.js';
import type { Unit } from '../../../ports/database.js';
import type { BatchRow, DataRow, MessageRow } from '../../../ports/tables/tables.js';
import { every } from '../../../ports/tables/where.js';
import { exactItems, exactMessages, referenceKey } from '../../common/messages/exact.js';
import { payloadData } from '../../common/rows.js';
import { headerOf } from '../../records/records.js';

/**
 * Keeps the payload of a private batch of another node as a candidate (docs/protocol.md §8.2), since nobody brings it
 * again: its text is written from the rows, and counts only if it has the batch's hash. Broadcasts are in the shared
 * store. A batch with deleted data, or a void one, is wanted from its sender when its pin comes again.
 */
export async function keepPayload(unit: Unit, batch: BatchRow): Promise<void> {
  const { type, hash, node, group, created, confirmed } = batch;
  if (type !== 'private' || node === null || group === null || created === null) return;
  const row = await unit.first('groups', { namespace: every, hash: group });
  const text = await textOf(unit, batch, { node, created });
  if (row === undefined || text === undefined) return;
  const candidate = {
    namespace: systemNamespace,
    hash,
    peer: node,
    batch: batch.id,
    group,
    groupName: row.name,
    groupNamespace: row.namespace,
    members: row.members,
    sizeBytes: Buffer.byteLength(text),
    created: confirmed ?? created,
  };
  await unit.put('candidates', [candidate]);
  await unit.put('payloads', [{ namespace: systemNamespace, hash, text }]);
}

async function textOf(
  unit: Unit,
  { id, hash, signer, author, namespace, txid, manifest }: BatchRow,
  { node, created }: { readonly node: string; readonly created: string },
): Promise<string | undefined> {
  const entries = manifest ?? [];
  const found = await exactMessages(unit, entries);
  const messages = entries.flatMap((entry) => {
    const message = found.get(referenceKey(entry));
    return message === undefined ? [] : [{ ...message, ...entry.items }];
  });
  const references = messages.flatMap(({ data }) => data);
  const items = await exactItems(unit, references);
  const named = [...new Set(references.flatMap((reference) => items.get(referenceKey(reference)) ?? []))];
  const content = { id, namespace, node, author, key: signer, transactionId: txid, created };
  const textWith = (data: readonly DataRow[]): string =>
    sealBatch({ ...content, messages: messages.map(toSealed), data: data.map(payloadData) }).payload;
  // Nodes write items in the order in which they are named; another implementation stores them in its own.
  const texts = [named, [...named].sort((a, b) => a.sequence - b.sequence)].map(textWith);
  return texts.find((text) => sha256(text) === hash);
}

function toSealed(row: MessageRow) {
  const data = row.data.map(({ id, hash }) => ({ id, hash }));
  return { header: headerOf(row), hash: row.hash, data, nonces: row.nonces ?? undefined };
}
