import type { Blockchain } from '../../../ports/blockchain.js';
import type { Clock } from '../../../ports/clock.js';
import type { Database, Reader, Unit } from '../../../ports/database.js';
import type { Random } from '../../../ports/random.js';
import type { MessageRow, OperationRow } from '../../../ports/tables/tables.js';
import { ServiceError } from '../../../wire/errors/error.js';
import { check } from '../../../wire/check.js';
import { CallInput } from '../../../wire/contracts/contract.js';
import type { Bus } from '../../bus.js';
import { insertRetry } from '../../operations/retried.js';
import { exactMessages } from '../../state/messages/exact.js';
import { refuseNetworkContract } from '../../state/contracts/network-contract.js';
import { cancelledMessages, hasData, parentTypeOf, restageMessages } from '../../state/messages/staged.js';

export interface RetryParts {
  readonly database: Database;
  readonly blockchain: Pick<Blockchain, 'network'>;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly random: Random;
}

/** `permit` may reject to refuse the retry of the operation, which sends these messages again. */
export type RetryOperation = (
  namespace: string,
  id: string,
  permit?: (operation: OperationRow, messages: readonly MessageRow[]) => Promise<void>,
) => Promise<OperationRow>;

/**
 * Returns the function that retries a failed operation as a new one with the same type, input and transaction
 * (docs/api.md §18.2); for a retried operation, its newest retry. Its cancelled message is staged again. Returns the
 * new row.
 *
 * The function throws ServiceError not_found, operation_not_failed (a repeated success could do the same thing twice),
 * network_contract.
 */
export function createRetryOperation(parts: RetryParts): RetryOperation {
  const { database, blockchain, bus, clock, random } = parts;
  return async (namespace, id, permit) => {
    if (permit !== undefined) {
      const operation = await findNewest(database, namespace, id);
      await permit(operation, await messagesOf(database, operation));
    }
    const [newId, now] = [random.uuid(), clock.now()];
    const row = await database.transaction(async (unit) => {
      const failed = await findNewest(unit, namespace, id);
      await refuseUnlessFailed(unit, failed);
      refuseNetworkContract(blockchain.network, targetOf(failed));
      await insertRetry(unit, failed, newId, now);
      await restage(unit, failed);
      return findNewest(unit, namespace, newId);
    });
    bus.ring('operations');
    return row;
  };
}

async function findNewest(reader: Reader, namespace: string, id: string): Promise<OperationRow> {
  const operation = await reader.first('operations', { namespace, id });
  if (operation === undefined)
    throw new ServiceError('not_found', { what: `operation ${id} in namespace ${namespace}` });
  return operation.retry === null ? operation : findNewest(reader, namespace, operation.retry);
}

async function refuseUnlessFailed(unit: Unit, operation: OperationRow): Promise<void> {
  const { id, status, type } = operation;
  if (status !== 'Failed') {
    throw new ServiceError('operation_not_failed', { id, problem: `it is ${status}, not Failed` });
  }
  if (type === 'blockchain_pin_batch' && !(await isSealed(unit, operation))) {
    throw new ServiceError('operation_not_failed', { id, problem: 'its batch was cancelled' });
  }
  if (type === 'dataexchange_send_batch' && !(await hasMessageData(unit, operation))) throw dataDeleted(id);
  if (type.startsWith('token_') && !(await hasPool(unit, operation))) {
    throw new ServiceError('operation_not_failed', { id, problem: 'its token pool no longer exists' });
  }
}

/** Returns the target contract of a user's call; connectors check theirs when the operation runs. */
function targetOf({ type, input }: OperationRow): string | null {
  return type === 'blockchain_invoke' && check(CallInput, input) ? (input.location?.address ?? null) : null;
}

/**
 * Whether the pool still exists. In a deleted pool an operation may have succeeded unseen, so it must not be repeated.
 */
function hasPool(unit: Unit, { namespace, input }: OperationRow): Promise<boolean> {
  return unit.has('pools', { namespace, id: String(input['pool']) });
}

async function messagesOf(reader: Reader, { namespace, type, tx }: OperationRow): Promise<readonly MessageRow[]> {
  const parent = parentTypeOf(type);
  return parent === undefined ? [] : cancelledMessages(reader, namespace, { type: parent, id: tx });
}

/** Stages the operation's message again, unless its data was deleted. */
async function restage(unit: Unit, { id, namespace, type, tx }: OperationRow): Promise<void> {
  const parent = parentTypeOf(type);
  if (parent === undefined) return;
  const messages = await restageMessages(unit, namespace, { type: parent, id: tx });
  if (!(await hasData(unit, namespace, messages))) throw dataDeleted(id);
}

/** Whether an unpinned message that is to be sent has all its data; a batch is sent from its payload. */
async function hasMessageData(unit: Unit, { namespace, batchHash, input }: OperationRow): Promise<boolean> {
  const { message: id, hash } = input;
  if (batchHash !== '' || typeof id !== 'string' || typeof hash !== 'string') return true;
  return hasData(unit, namespace, [...(await exactMessages(unit, [{ id, hash }], { namespace })).values()]);
}

function dataDeleted(id: string): ServiceError {
  return new ServiceError('operation_not_failed', { id, problem: 'data of its message was deleted' });
}

/** The nonces of a cancelled batch are free again, so its pin must never be sent. */
function isSealed(unit: Unit, { batch, batchHash, signer }: OperationRow): Promise<boolean> {
  return unit.has('batches', { id: batch, hash: batchHash, signer, state: 'sealed' });
}
