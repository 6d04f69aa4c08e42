import { sha256 } from '../../../domain/hash.js';
import { systemNamespace } from '../../../domain/network/identity.js';
import { sealBatch } from '../../../domain/messages/batch.js';
import type { Unit } from '../../../ports/database.js';
import type { BatchRow, DataRow, MessageRow } from '../../../ports/tables/tables.js';
import { every } from '../../../ports/tables/where.js';
import { claimBlobs } from '../../blobs/claims.js';
import { exactItems, exactMessages, referenceKey } from '../../state/messages/exact.js';
import { newOperation, peerLane } from '../../operations/operation.js';
import { payloadData } from '../../state/data/data-row.js';
import { headerOf } from '../../records/records.js';
import type { Undoing } from '../undoing.js';

/**
 * Keeps the payload of another node's private batch as a candidate (docs/protocol.md §8.2), since nobody sends it again
 * by default. Its text is written from the rows, and is kept only if it has the batch's hash. Payloads of broadcasts
 * are in the shared store, and void batches are candidates already. A batch with deleted data is requested from its
 * author.
 */
export async function keepPayload(unit: Unit, batch: BatchRow, parts: RequestParts): Promise<void> {
  const { type, hash, node, group, created, confirmed } = batch;
  if (type !== 'private' || node === null || group === null || created === null) return;
  const row = await unit.first('groups', { namespace: every, hash: group });
  const payload = await payloadOf(unit, batch, { node, created });
  if (row === undefined || payload === undefined) return requestBatch(unit, batch, node, parts);
  const { text, data } = payload;
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
  // Users may delete the items, whose message is not here any more.
  await claimBlobs(unit, { peer: node, source: hash, blobs: data.flatMap((item) => payloadData(item).blob ?? []) });
}

type RequestParts = Pick<Undoing, 'clock' | 'random'>;

async function requestBatch(unit: Unit, batch: BatchRow, peer: string, { clock, random }: RequestParts): Promise<void> {
  const { id, hash, signer, txid: tx } = batch;
  const type = 'dataexchange_request_batch' as const;
  const subject = { namespace: systemNamespace, tx, batch: id, batchHash: hash, signer };
  const operation = { id: random.uuid(), type, lane: peerLane(peer), created: clock.now(), subject, input: { peer } };
  await unit.insert('operations', [newOperation(operation)]);
}

async function payloadOf(
  unit: Unit,
  { id, hash, signer, author, namespace, txid, manifest }: BatchRow,
  { node, created }: { readonly node: string; readonly created: string },
): Promise<{ readonly text: string; readonly data: readonly DataRow[] } | undefined> {
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
  const sealedWith = (data: readonly DataRow[]) => {
    const { payload } = sealBatch({ ...content, messages: messages.map(toSealed), data: data.map(payloadData) });
    return { text: payload, data };
  };
  // Nodes write items in the order in which they are named; another implementation stores them in its own.
  const payloads = [named, [...named].sort((a, b) => a.sequence - b.sequence)].map(sealedWith);
  return payloads.find(({ text }) => sha256(text) === hash);
}

function toSealed(row: MessageRow) {
  const data = row.data.map(({ id, hash }) => ({ id, hash }));
  return { header: headerOf(row), hash: row.hash, data, nonces: row.nonces ?? undefined };
}
