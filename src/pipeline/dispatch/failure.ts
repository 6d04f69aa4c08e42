import { networkLimits } from '../../domain/network/limits.js';
import type { Clock } from '../../ports/clock.js';
import type { Unit } from '../../ports/database.js';
import type { Random } from '../../ports/random.js';
import type { MessageRow, OperationRow } from '../../ports/tables/tables.js';
import type { Bell } from '../bus.js';
import { exactMessages } from '../state/messages/exact.js';
import { newOperationEvent } from '../state/events/event-row.js';

export interface FailureParts {
  readonly clock: Clock;
  readonly random: Random;
}

/**
 * Records one event for each message of an operation that failed permanently, so that applications learn that a member
 * will not receive it. The event refers to the operation, which has the reason; its correlator is the message. Runs in
 * the unit of the failure.
 */
export async function recordMessageFailure(
  unit: Unit,
  operation: OperationRow,
  parts: FailureParts,
): Promise<readonly Bell[]> {
  return recordForMessages(unit, 'message_op_failed', operation, parts);
}

/** Records the same events, once, for an operation that waits for someone to act, such as funding its key. */
export async function recordMessageWaiting(
  unit: Unit,
  operation: OperationRow,
  parts: FailureParts,
): Promise<readonly Bell[]> {
  const { namespace, id: reference } = operation;
  if (await unit.has('events', { namespace, reference, type: 'message_op_waiting' })) return [];
  return recordForMessages(unit, 'message_op_waiting', operation, parts);
}

async function recordForMessages(
  unit: Unit,
  type: 'message_op_failed' | 'message_op_waiting',
  operation: OperationRow,
  { clock, random }: FailureParts,
): Promise<readonly Bell[]> {
  const messages = await findMessages(unit, operation);
  if (messages.length === 0) return [];
  const created = clock.now();
  await unit.insert(
    'events',
    messages.map((message) => newOperationEvent(type, message, operation, { id: random.uuid(), created })),
  );
  return ['events'];
}

/** Returns the messages of the operation's batch, or the unpinned message that its input names. */
async function findMessages(unit: Unit, operation: OperationRow): Promise<readonly MessageRow[]> {
  const { namespace, batch, batchHash, input } = operation;
  if (batchHash !== '') {
    return unit.rows('messages', { namespace, batchHash, batch }, { limit: networkLimits.maxBatchMessages });
  }
  // The source of a blob is the hash of its message.
  const { message: id, hash = input['source'] } = input;
  if (typeof id !== 'string' || typeof hash !== 'string') return [];
  return [...(await exactMessages(unit, [{ id, hash }], { namespace })).values()];
}
