import { systemNamespace } from '../../../domain/network/identity.js';
import { ChainError, type PinLog } from '../../../ports/blockchain.js';
import type { Unit } from '../../../ports/database.js';
import type { Metrics } from '../../../ports/metrics.js';
import type { BatchRow, NewRow } from '../../../ports/tables/tables.js';
import type { OwnIdentity } from '../../state/identities/own-identity.js';
import { markDue } from '../../state/messages/contexts.js';
import { markBatchesDue } from '../../state/messages/due-batch.js';
import type { Bell } from '../../bus.js';
import { findBatches } from '../../state/messages/exact.js';
import { fetchLane, fetchLargeLane, memberLane, newOperation } from '../../operations/operation.js';
import { maxUsualContexts } from '../../throttle.js';
import { findExpecting } from '../messages/batch.js';
import { type CandidateParts, takeCandidates } from '../messages/candidate.js';
import type { Examined } from '../messages/examined.js';
import { holdOwn, type OwnParts } from '../messages/own.js';
import { recordPinEvents } from './pin-event.js';
import { reviveBatch } from './revived.js';

export interface ReceivePinParts extends CandidateParts, OwnParts {
  readonly own: OwnIdentity;
  readonly examined: Examined;
  readonly metrics: Metrics;
  readonly contract: string;
}

/**
 * Applies pins in chain order (docs/protocol.md §8.1). Each context takes its position. An unknown batch is wanted: a
 * broadcast is downloaded, a private one is judged at once if it is a candidate. A batch sealed here is held. A batch
 * is identified by id, hash and signer together; a second pin of it has no effect.
 */
export async function applyPins(unit: Unit, logs: readonly PinLog[], parts: ReceivePinParts): Promise<readonly Bell[]> {
  const signers = logs.map(({ signer }) => signer);
  const owners = await parts.registry.owners(unit, signers);
  const known = await findKnown(unit, logs);
  const taken: PinLog[] = [];
  const pins: NewRow<'pins'>[] = [];
  const wanted: PinLog[] = [];
  const sealed: { readonly batch: BatchRow; readonly log: PinLog }[] = [];
  for (const log of logs) {
    const identity = owners.get(log.signer);
    // The contract refuses unregistered keys; without an owner a pin has no position in any order.
    if (identity === undefined) continue;
    const batch = known.get(keyOf(log));
    if (batch === 'seen' || (batch !== undefined && isPinned(batch))) continue;
    known.set(keyOf(log), 'seen');
    if (batch === undefined && (await isOwn(unit, log, identity, parts))) throw foreignPin(log);
    if (batch?.state === 'cancelled') await reviveBatch(unit, batch);
    taken.push(log);
    pins.push(...newPins(log, identity, parts.clock.now()));
    if (batch === undefined) wanted.push(log);
    else sealed.push({ batch, log });
  }
  await unit.insert('pins', pins);
  await recordPinEvents(unit, taken, { ...parts, created: parts.clock.now() });
  await want(unit, wanted, owners, parts);
  const bells = new Set<Bell>(['events', ...(wanted.length > 0 ? (['operations'] as const) : [])]);
  for (const { batch, log } of sealed) {
    for (const bell of await holdOwn(unit, batch, log, parts)) bells.add(bell);
  }
  for (const bell of await takeCandidates(unit, wanted, parts)) bells.add(bell);
  const held = sealed.flatMap(({ batch, log }) => (isBroadcast(log) ? [{ name: batch, from: 0 }] : []));
  const contexts = await expecting(unit, taken);
  await markBatchesDue(unit, held);
  await markDue(unit, contexts);
  if (held.length > 0 || contexts.length > 0) bells.add('due');
  parts.metrics.count('ff_batchpin_total', logs.length);
  parts.metrics.count('ff_blockchain_events_total', taken.length);
  return [...bells];
}

/**
 * Returns the private contexts that expect one of the pins. Contexts of a wanted broadcast are not due until its
 * payload is here.
 */
function expecting(unit: Unit, logs: readonly PinLog[]): Promise<readonly string[]> {
  const masked = logs.filter((log) => !isBroadcast(log)).flatMap(contextsOf);
  return findExpecting(unit, [...new Set(masked)]);
}

function isBroadcast({ payloadRef }: PinLog): boolean {
  return payloadRef !== '';
}

function contextsOf({ contexts }: PinLog): readonly string[] {
  return contexts;
}

/**
 * Whether only this node may pin with the signer's key: the key is in its wallet and registered for its member. A
 * wallet may also hold a key that the operator registered for another member.
 */
async function isOwn(unit: Unit, { signer }: PinLog, identity: string, parts: ReceivePinParts): Promise<boolean> {
  const { own, registry } = parts;
  if (!own.keys.includes(signer)) return false;
  return identity === own.did || (await registry.nodeIdOf(unit, identity)) === (await registry.nodeIdOf(unit, own.did));
}

/** Whether this pin is a repeat. */
function isPinned({ state }: BatchRow): boolean {
  return state === 'wanted' || state === 'held' || state === 'void';
}

async function findKnown(unit: Unit, logs: readonly PinLog[]): Promise<Map<string, BatchRow | 'seen'>> {
  const names = logs.map(({ batchId: id, batchHash: hash, signer }) => ({ id, hash, signer }));
  const rows = await findBatches(unit, names);
  return new Map(rows.map((row) => [keyOf({ batchId: row.id, batchHash: row.hash, signer: row.signer }), row]));
}

function keyOf({ batchId, batchHash, signer }: Pick<PinLog, 'batchId' | 'batchHash' | 'signer'>): string {
  return `${batchId}/${batchHash}/${signer}`;
}

function newPins(log: PinLog, identity: string, created: string): NewRow<'pins'>[] {
  const { batchId: batch, batchHash, signer } = log;
  const masked = !isBroadcast(log);
  const { block } = log.position;
  return log.contexts.map((context, index) => {
    const place = { batch, batchHash, signer, identity, index, block, created };
    return { namespace: systemNamespace, context, masked, spent: false, ...place };
  });
}

async function want(
  unit: Unit,
  logs: readonly PinLog[],
  owners: ReadonlyMap<string, string>,
  { clock, random, registry }: ReceivePinParts,
): Promise<void> {
  const now = clock.now();
  await unit.insert(
    'batches',
    logs.map((log) => wantedBatch(log, owners.get(log.signer) ?? '', now)),
  );
  const downloads = logs.filter(isBroadcast);
  const nodes = new Map<string, string | undefined>();
  for (const { signer } of downloads) {
    if (!nodes.has(signer)) nodes.set(signer, await registry.nodeIdOf(unit, owners.get(signer) ?? ''));
  }
  await unit.insert(
    'operations',
    downloads.map((log) => {
      const { batchId: batch, batchHash, signer, transactionId: tx, payloadRef, contexts } = log;
      const subject = { namespace: systemNamespace, tx, batch, batchHash, signer };
      const type = 'sharedstorage_download_batch';
      const input = { payloadRef };
      const lane = memberLane(contexts.length > maxUsualContexts ? fetchLargeLane : fetchLane, nodes.get(signer));
      return newOperation({ id: random.uuid(), type, lane, created: now, subject, input });
    }),
  );
}

function wantedBatch(log: PinLog, author: string, confirmed: string): NewRow<'batches'> {
  return {
    namespace: systemNamespace,
    id: log.batchId,
    hash: log.batchHash,
    signer: log.signer,
    author,
    node: null,
    type: isBroadcast(log) ? 'broadcast' : 'private',
    group: null,
    txid: log.transactionId,
    created: null,
    payloadRef: log.payloadRef,
    manifest: null,
    state: 'wanted',
    reason: null,
    confirmed,
  };
}

function foreignPin({ batchId, signer }: PinLog): ChainError {
  const what = `The key ${signer} of this node has pinned the batch ${batchId}, which is not waiting for a pin here.`;
  const mend = 'Its database was restored from an older copy, or another node uses the key. Restore the newest data.';
  return new ChainError('other_chain', `${what} ${mend}`);
}
