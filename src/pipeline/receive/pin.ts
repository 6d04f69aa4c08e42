import { systemNamespace } from '../../domain/identity.js';
import { ChainError, type PinLog } from '../../ports/blockchain.js';
import type { Clock } from '../../ports/clock.js';
import type { Unit } from '../../ports/database.js';
import type { Metrics } from '../../ports/metrics.js';
import type { Random } from '../../ports/random.js';
import type { BatchRow, NewRow } from '../../ports/tables.js';
import { equal } from '../../wire/query.js';
import type { OwnIdentity } from '../accept/author.js';
import type { Bell } from '../bus.js';
import { findBatches } from '../exact.js';
import type { Registry } from '../registry.js';
import { fetchLane, newOperation } from '../operation.js';

export interface ReceivePinParts {
  readonly registry: Registry;
  readonly own: OwnIdentity;
  readonly clock: Clock;
  readonly random: Random;
  readonly metrics: Metrics;
}

/**
 * Pins in chain order (S §8.3): every context takes its place, a batch that is not here is wanted and downloaded, one
 * that was sealed here is held. A batch is known by id, hash and signer together; its second pin is a repeat and has no
 * effect.
 */
export async function applyPins(unit: Unit, logs: readonly PinLog[], parts: ReceivePinParts): Promise<readonly Bell[]> {
  const signers = logs.map(({ signer }) => signer);
  const owners = await parts.registry.owners(unit, signers);
  const known = await findKnown(unit, logs);
  const pins: NewRow<'pins'>[] = [];
  const wanted: PinLog[] = [];
  const rings = new Set<Bell>(['due']);
  for (const log of logs) {
    const identity = owners.get(log.signer);
    // The contract refuses keys that are not registered; should one get through, it has no place in any order.
    if (identity === undefined) continue;
    const batch = known.get(keyOf(log));
    if (batch === 'seen' || (batch !== undefined && batch.state !== 'sealed' && batch.state !== 'pinned')) continue;
    known.set(keyOf(log), 'seen');
    pins.push(...newPins(log, identity, parts.clock.now()));
    rings.add(batch === undefined ? 'operations' : 'messages');
    if (batch !== undefined) await hold(unit, batch, log, parts);
    else if (log.signer === parts.own.key) throw foreignPin(log);
    else wanted.push(log);
  }
  await unit.insert('pins', pins);
  await want(unit, wanted, owners, parts);
  const contexts = [...new Set(pins.filter(({ masked }) => !masked).map(({ context }) => context))];
  await unit.put(
    'due',
    contexts.map((context) => ({ namespace: systemNamespace, context })),
  );
  parts.metrics.count('ff_batchpin_total', logs.length);
  return [...rings];
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
  const masked = log.payloadRef === '';
  const { block } = log.position;
  return log.contexts.map((context, index) => {
    const place = { batch, batchHash, signer, identity, index, block, created };
    return { namespace: systemNamespace, context, masked, spent: false, ...place };
  });
}

/** The pin of a batch that was sealed here has come back from the chain. */
async function hold(unit: Unit, batch: BatchRow, log: PinLog, { clock }: ReceivePinParts): Promise<void> {
  const where = [equal('sequence', batch.sequence)];
  const { payloadRef } = log;
  const changes = { state: 'held', payloadRef, confirmed: clock.now() } as const;
  await unit.update('batches', { namespace: batch.namespace, where }, changes);
}

async function want(
  unit: Unit,
  logs: readonly PinLog[],
  owners: ReadonlyMap<string, string>,
  { clock, random }: ReceivePinParts,
): Promise<void> {
  const now = clock.now();
  await unit.insert(
    'batches',
    logs.map((log) => wantedBatch(log, owners.get(log.signer) ?? '', now)),
  );
  const downloads = logs.filter(({ payloadRef }) => payloadRef !== '');
  await unit.insert(
    'operations',
    downloads.map((log) => {
      const { batchId: batch, batchHash, signer, transactionId: tx, payloadRef } = log;
      const subject = { namespace: systemNamespace, tx, batch, batchHash, signer };
      const type = 'sharedstorage_download_batch';
      const input = { payloadRef };
      return newOperation({ id: random.uuid(), type, lane: fetchLane, created: now, subject, input });
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
    type: log.payloadRef === '' ? 'private' : 'broadcast',
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
  const what = `The key ${signer} of this node has pinned the batch ${batchId}, which this node has never sealed.`;
  const mend = 'Its database was restored from an older copy, or another node uses the key. Restore the newest data.';
  return new ChainError('other_chain', `${what} ${mend}`);
}
