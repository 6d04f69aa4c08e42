import { assert } from '../../../domain/invariant.js';
import type { ProfileRules } from '../../../domain/network/profile.js';
import type { Clock } from '../../../ports/clock.js';
import type { PinLog } from '../../../ports/blockchain.js';
import type { Unit } from '../../../ports/database.js';
import type { Random } from '../../../ports/random.js';
import type { BatchRow } from '../../../ports/tables/tables.js';
import { every } from '../../../ports/tables/where.js';
import { ServiceError } from '../../../wire/errors/error.js';
import type { Bell } from '../../bus.js';
import { namespaceOfDecision, newMessageEvent } from '../../state/events/event-row.js';
import type { Examined } from './examined.js';
import { type JudgeParts, judgeBatch } from './judge.js';
import { recordPinInNamespace } from '../chain/pin-event.js';

export interface OwnParts extends JudgeParts {
  readonly clock: Clock;
  readonly random: Random;
  readonly profileRules: ProfileRules;
}

type OwnPin = Pick<PinLog, 'payloadRef' | 'transactionHash' | 'position'>;

/**
 * Handles the pin of a batch that was sealed here. The batch is judged as every other node judges it: if it is void for
 * them, it is void here and its messages are rejected (docs/protocol.md §8.3).
 */
export async function holdOwn(
  unit: Unit,
  batch: BatchRow,
  log: OwnPin,
  parts: OwnParts & { readonly examined: Examined },
): Promise<readonly Bell[]> {
  const now = parts.clock.now();
  const { payloadRef } = log;
  await endPin(unit, batch, log, now);
  const verdict = await judgeBatch(unit, parts, batch, {
    examined: parts.examined.of(batch.hash),
    group: await findGroup(unit, batch),
  });
  assert(verdict.status !== 'unknown_version', 'this program knows its own version');
  const itself = { sequence: batch.sequence };
  if (verdict.status === 'valid') {
    await unit.update('batches', itself, { state: 'held', payloadRef, confirmed: now });
    if (!parts.profileRules.tellsPinsInNamespace) return ['messages'];
    await recordPinInNamespace(unit, { batch, namespace: batch.namespace }, { random: parts.random, created: now });
    return ['messages', 'events'];
  }
  const { reason } = verdict;
  await unit.update('batches', itself, { state: 'void', payloadRef, confirmed: now, reason });
  await rejectMessages(unit, batch, reason, { now, random: parts.random });
  await endFiles(unit, batch, now);
  return ['messages', 'events'];
}

/**
 * Ends the pin's operation from the chain's event, so its receipt need not be recorded too. After a reorganisation this
 * may be a pin that had failed; an operation that retries it has another call, whose receipt ends it.
 */
async function endPin(
  unit: Unit,
  { id, hash, signer }: BatchRow,
  { transactionHash, position }: OwnPin,
  updated: string,
): Promise<void> {
  const { block: blockNumber, transactionIndex } = position;
  const output = { transactionHash, blockNumber, transactionIndex };
  const changes = { status: 'Succeeded', error: null, output, updated } as const;
  const itsPin = { namespace: every, batch: id, batchHash: hash, signer, type: 'blockchain_pin_batch' } as const;
  const isOpen = { status: ['Initialized', 'Pending'] } as const;
  await unit.update('operations', { ...itsPin, transactionHash, ...isOpen }, changes);
}

/**
 * Ends the sending of a void batch's files, which no member accepts. It has not failed, so a rebuild that judges the
 * batch again can send them.
 */
async function endFiles(unit: Unit, { id, hash, signer }: BatchRow, updated: string): Promise<void> {
  const ofBatch = { namespace: every, batch: id, batchHash: hash, signer, type: 'dataexchange_send_blob' } as const;
  const output = { notSent: 'the batch is void' };
  const changes = { status: 'Succeeded', error: null, output, updated } as const;
  await unit.update('operations', { ...ofBatch, status: ['Initialized', 'Pending'] }, changes);
}

async function findGroup(unit: Unit, { group }: BatchRow) {
  if (group === null) return undefined;
  const row = await unit.first('groups', { namespace: every, hash: group });
  assert(row !== undefined, 'a group is stored with the first message to it');
  return row;
}

async function rejectMessages(
  unit: Unit,
  { namespace, id, hash, txid, signer }: BatchRow,
  fault: string,
  { now, random }: { readonly now: string; readonly random: Random },
): Promise<void> {
  const undecided = { namespace, batch: id, batchHash: hash, state: 'ready' } as const;
  const messages = await unit.rows('messages', undecided, { limit: maxMessages });
  const rejectReason = new ServiceError('own_batch_void', { reason: fault }).message;
  const changes = { state: 'rejected', rejectReason, rejected: now, rank: now } as const;
  await unit.update('messages', undecided, changes);
  await unit.insert(
    'events',
    messages.map((message) =>
      newMessageEvent(message, {
        id: random.uuid(),
        state: 'rejected',
        tx: txid,
        created: now,
        namespace: namespaceOfDecision(message, 'rejected', { keys: [signer] }),
      }),
    ),
  );
}

/** The limit of a batch. */
const maxMessages = 1_000;
