import { groupContext } from '../../../domain/messages/pin.js';
import type { ProfileRules } from '../../../domain/network/profile.js';
import type { BatchVerdict } from '../../../domain/messages/verify.js';
import type { Unit } from '../../../ports/database.js';
import type { Random } from '../../../ports/random.js';
import type { BatchRow } from '../../../ports/tables/tables.js';
import type { BatchPayload } from '../../../wire/messages/batch.js';
import type { EnvelopeGroup } from '../../../wire/messages/group.js';
import type { Bell } from '../../bus.js';
import { markDue, openContexts } from '../../state/messages/contexts.js';
import { markBatchesDue } from '../../state/messages/due-batch.js';
import { newGroup } from '../../state/groups/group-row.js';
import { newTransaction } from '../../state/chain/transaction-row.js';
import { downloadBlobs } from '../../blobs/downloads.js';
import { fetchBlobLane, memberLane } from '../../operations/operation.js';
import { type BatchRows, putRows, rowsOfBatch } from './batch-rows.js';
import { awaitBlobs, dropClaims } from '../../blobs/claims.js';
import { pinnedIn, recordPinInNamespace } from '../chain/pin-event.js';

/** A payload with the pinned hash, and the verdict on it. */
export interface ReceivedBatch {
  readonly batch: BatchRow;
  readonly verdict: Exclude<BatchVerdict, { readonly status: 'unknown_version' }>;
  readonly rows?: BatchRows | undefined;
  /** For a private batch: the group that came with it, and the id of the node that sent it. */
  readonly from?: { readonly group: EnvelopeGroup; readonly peer: string } | undefined;
  readonly now: string;
  readonly random: Random;
  readonly profileRules: ProfileRules;
}

/**
 * Marks a wanted batch as held, with its messages, data and group, or as void, and marks its contexts as due. Existing
 * rows are kept, so a partly known or repeated batch is completed without duplicates (docs/protocol.md §8.2).
 */
export async function receiveBatch(unit: Unit, received: ReceivedBatch): Promise<readonly Bell[]> {
  const { batch, verdict } = received;
  const wanted = { sequence: batch.sequence, state: 'wanted' } as const;
  if (verdict.status === 'void') {
    await unit.update('batches', wanted, { state: 'void', reason: verdict.reason });
    await dropClaims(unit, batch.hash);
    await markPinsDue(unit, batch);
    return ['due'];
  }
  const { payload } = verdict;
  const { namespace, node, created } = payload;
  const rows = received.rows ?? rowsOfBatch(payload, batch);
  const group = payload.messages[0]?.header.group ?? null;
  await unit.update('batches', wanted, { state: 'held', namespace, node, created, manifest: rows.manifest, group });
  const contexts = await openGroup(unit, received, payload);
  await putRows(unit, rows);
  const transaction = newTransaction(namespace, { id: batch.txid, type: 'batch_pin', created: received.now });
  await unit.put('transactions', [{ ...transaction, blockchainIds: await pinnedIn(unit, batch) }]);
  if (received.profileRules.tellsPinsInNamespace) {
    await recordPinInNamespace(unit, { batch, namespace }, { random: received.random, created: received.now });
  }
  const bells = await wantBlobs(unit, received, payload);
  await markDue(unit, contexts);
  await markPinsDue(unit, batch);
  return ['received', 'due', 'events', ...bells];
}

/** Stores the group of a private batch and starts expecting its members' pins in the batch's topics. */
async function openGroup(
  unit: Unit,
  { from, now }: ReceivedBatch,
  { namespace, messages }: BatchPayload,
): Promise<readonly string[]> {
  if (from === undefined) return [];
  const { name, members } = from.group;
  const message = messages[0]?.header.id ?? null;
  const group = newGroup(namespace, { name, members, created: now, message });
  await unit.put('groups', [group]);
  const topics = [...new Set(messages.flatMap(({ header }) => header.topics))];
  await openContexts(unit, group, topics);
  return topics.map((topic) => groupContext(topic, group.hash));
}

/** Downloads the blobs of a broadcast; those of a private batch come from the peer. */
async function wantBlobs(
  unit: Unit,
  { batch, from, now, random }: ReceivedBatch,
  { namespace, node, data }: BatchPayload,
): Promise<readonly Bell[]> {
  const blobs = data.flatMap(({ blob }) => blob ?? []);
  if (blobs.length === 0) return [];
  if (from !== undefined) {
    await awaitBlobs(unit, { peer: from.peer, source: batch.hash, blobs });
    return [];
  }
  const subject = { namespace, tx: batch.txid, batch: batch.id, batchHash: batch.hash, signer: batch.signer };
  const lane = memberLane(fetchBlobLane, node);
  return downloadBlobs(unit, { subject, lane, blobs, created: now, random });
}

/** Marks the contexts in which unspent pins of a batch are, or are expected, as due. */
async function markPinsDue(unit: Unit, { id, hash, signer, type }: BatchRow): Promise<void> {
  if (type === 'broadcast') return markBatchesDue(unit, [{ name: { id, hash, signer }, from: 0 }]);
  const pins = await unit.rows('pins', { batch: id, batchHash: hash, signer, spent: false }, { limit: maxPins });
  await markDue(unit, await findExpecting(unit, [...new Set(pins.map(({ context }) => context))]));
}

/** Returns the private contexts that expect one of these masked pins next. */
export async function findExpecting(unit: Unit, values: readonly string[]): Promise<readonly string[]> {
  if (values.length === 0) return [];
  const rows = await unit.rows('nextpins', { hash: values }, { limit: values.length });
  return rows.map(({ context }) => context);
}

/** The contract's limit of contexts in one pin. */
const maxPins = 10_000;
