import { exactMessages, referenceKey } from '../../pipeline/state/messages/exact.js';
import type { Database } from '../../ports/database.js';
import type { BlockchainEventRow } from '../../ports/tables/contract-tables.js';
import type { ApprovalRow, PoolRow, TransferRow } from '../../ports/tables/token-tables.js';
import type { EventRow, OperationRow, TransactionRow } from '../../ports/tables/tables.js';
import type { TransactionStatus } from '../../wire/chain/transaction.js';

/** A part of a transaction's status. */
export type Detail = TransactionStatus['details'][number];

/**
 * The token parts of a transaction's status (docs/api.md §18.1): the pool, the transfer or the approval, `Pending`
 * while it is missing; empty for other transactions.
 */
export async function tokenDetails(
  database: Database,
  { namespace, id, type }: TransactionRow,
  { operations, events }: TransactionParts,
): Promise<readonly Detail[]> {
  const asked = { namespace, ...recordsOf({ operations, events }) };
  // A record that is not there when its operation has ended, or has none here, was deleted, or deleted with its pool.
  const isAwaited = operations.some(({ status }) => status !== 'Succeeded');
  switch (type) {
    case 'token_pool': {
      const pools = await database.rows('pools', { namespace, txid: id }, { limit: maxParts });
      const found = pools.length > 0 ? pools.map(poolDetail) : await rejectedPools(database, namespace, operations);
      return orMissing('TokenPool', found, isAwaited);
    }
    case 'token_transfer':
      return orMissing(
        'TokenTransfer',
        (await database.rows('transfers', asked, { limit: maxParts })).map(transferDetail),
        isAwaited,
      );
    case 'token_approval':
      return orMissing(
        'TokenApproval',
        (await database.rows('approvals', asked, { limit: maxParts })).map(approvalDetail),
        isAwaited,
      );
    case 'batch_pin':
    case 'none':
    case 'unpinned':
    case 'data_publish':
    case 'identity':
    case 'contract_deploy':
    case 'contract_invoke':
      return [];
  }
}

/** The placeholder for a missing part. */
export function missing(type: Detail['type']): Detail {
  return { type, status: 'Pending' };
}

/** A transaction has one part; retries may have added others. */
const maxParts = 100;

/** The parts of a transaction that this node has. */
export interface TransactionParts {
  readonly operations: readonly OperationRow[];
  readonly events: readonly Pick<BlockchainEventRow, 'origin' | 'protocolId'>[];
}

/** Transfers and approvals are those of this node's operations, and of another party's where its events say. */
function recordsOf({ operations, events }: TransactionParts) {
  const localId = operations.flatMap(localIdsOf);
  if (localId.length > 0) return { localId };
  return { pool: events.map(({ origin }) => origin), protocolId: events.map(({ protocolId }) => protocolId) };
}

function localIdsOf({ input }: OperationRow): string[] {
  return typeof input['localId'] === 'string' ? [input['localId']] : [];
}

function orMissing(type: Detail['type'], found: readonly Detail[], isAwaited = true): readonly Detail[] {
  return found.length > 0 || !isAwaited ? found : [missing(type)];
}

function poolDetail({ id, type: subtype, active, state, refusal, created: timestamp }: PoolRow): Detail {
  if (state === 'refused') {
    return { type: 'TokenPool', subtype, status: 'Failed', timestamp, id, ...(refusal !== null && { error: refusal }) };
  }
  if (!active) return { type: 'TokenPool', subtype, status: 'Pending', id };
  return { type: 'TokenPool', subtype, status: 'Succeeded', timestamp, id };
}

/** The pools of operations that were deleted because their definitions were rejected. */
async function rejectedPools(
  database: Database,
  namespace: string,
  operations: readonly OperationRow[],
): Promise<readonly Detail[]> {
  // The rejection of a later definition of an unpublished pool does not undo the creation.
  const correlator = operations.filter(({ input }) => input['publish'] !== false).flatMap(poolsOf);
  const rejections = { namespace, type: 'message_rejected', correlator: [...new Set(correlator)] } as const;
  const events = await database.rows('events', rejections, { limit: maxParts });
  const definitions = await exactMessages(database, events.map(subjectOf));
  return events.map((event) => {
    const { correlator: id, created: timestamp } = event;
    const error = definitions.get(referenceKey(subjectOf(event)))?.rejectReason;
    return { type: 'TokenPool', status: 'Failed', timestamp, ...(id && { id }), ...(error && { error }) };
  });
}

function subjectOf({ reference: id, referenceHash: hash }: EventRow) {
  return { id, hash };
}

function poolsOf({ input }: OperationRow): string[] {
  return typeof input['pool'] === 'string' ? [input['pool']] : [];
}

function transferDetail({ type: subtype, localId: id, created: timestamp }: TransferRow): Detail {
  return { type: 'TokenTransfer', subtype, status: 'Succeeded', timestamp, id };
}

function approvalDetail({ localId: id, created: timestamp }: ApprovalRow): Detail {
  return { type: 'TokenApproval', status: 'Succeeded', timestamp, id };
}
