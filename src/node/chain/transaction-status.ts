import { systemNamespace } from '../../domain/network/identity.js';
import { operationRecord } from '../../pipeline/records/operations.js';
import type { Database } from '../../ports/database.js';
import type { BatchRow, OperationRow, TransactionRow } from '../../ports/tables/tables.js';
import type { BlockchainEventRow } from '../../ports/tables/contract-tables.js';
import { every } from '../../ports/tables/where.js';
import { ServiceError } from '../../wire/errors/error.js';
import type { TransactionStatus } from '../../wire/chain/transaction.js';
import { readId } from '../lists/id.js';
import { type Detail, missing, tokenDetails } from '../tokens/transaction-tokens.js';

/** A private batch has one operation per recipient and blob; beyond this limit the oldest suffice. */
const maxOperations = 1_000;
/** Limit on the events of a contract call. */
const maxEvents = 1_000;

/**
 * Builds the status of a transaction (docs/api.md §18.1): failed if a part failed and was not retried, else pending if
 * a part is, else succeeded.
 *
 * @throws ServiceError not_uuid, not_found
 */
export async function transactionStatus(
  database: Database,
  namespace: string,
  given: string,
): Promise<TransactionStatus> {
  const transaction = await findTransaction(database, namespace, given);
  const { id, type } = transaction;
  const eventNamespace = await namespaceOfEvents(database, transaction);
  const [all, events, batch] = await Promise.all([
    database.rows('operations', { namespace: every, tx: id }, { limit: maxOperations }),
    database.rows('blockchainevents', { namespace: eventNamespace, txid: id }, { limit: maxEvents }),
    type === 'batch_pin' ? findBatch(database, transaction) : undefined,
  ]);
  const operations = all.filter((operation) => operation.retry === null && isPart(operation, batch));
  const details = [
    ...operations.map(operationDetail),
    ...events.map(eventDetail),
    ...(type === 'batch_pin' ? [batchDetail(batch)] : []),
    ...(await tokenDetails(database, transaction, { operations, events })),
  ];
  return { status: overall(details), details: details.sort(newestFirst) };
}

/** Finds a transaction of a namespace. @throws ServiceError not_uuid, not_found */
export async function findTransaction(database: Database, namespace: string, given: string): Promise<TransactionRow> {
  const id = readId('The transaction id', given);
  const transaction = await database.first('transactions', { namespace, id });
  if (transaction !== undefined) return transaction;
  throw new ServiceError('not_found', { what: `transaction ${id} in namespace ${namespace}` });
}

/**
 * The namespace of a transaction's blockchain events: those of pins are in the system namespace (docs/api.md §13.2),
 * unless the network reports pins in the namespace of their batch, too.
 */
export async function namespaceOfEvents(
  reader: Pick<Database, 'has'>,
  { namespace, type, id }: TransactionRow,
): Promise<string> {
  if (type !== 'batch_pin') return namespace;
  const isReported = await reader.has('blockchainevents', { namespace, txid: id, listener: null });
  return isReported ? namespace : systemNamespace;
}

function findBatch(database: Database, { namespace, id }: TransactionRow): Promise<BatchRow | undefined> {
  return database.first('batches', { namespace, txid: id });
}

/**
 * Whether an operation with the transaction's id is of the transaction. Ids are public, and any member may name one in
 * the pin of a batch of its own.
 */
function isPart({ batch: id, batchHash: hash, signer }: OperationRow, batch: BatchRow | undefined): boolean {
  return id === '' || (id === batch?.id && hash === batch.hash && signer === batch.signer);
}

function operationDetail(row: OperationRow): Detail {
  const { id, type, status, updated, error, output } = operationRecord(row, undefined);
  return {
    type: 'Operation',
    subtype: type,
    status: status === 'Initialized' ? 'Pending' : status,
    timestamp: updated,
    id,
    ...(error !== undefined && { error }),
    ...(output !== undefined && { info: output }),
  };
}

function eventDetail({ id, name, timestamp, info }: BlockchainEventRow): Detail {
  return { type: 'BlockchainEvent', subtype: name, status: 'Succeeded', timestamp, id, info };
}

function batchDetail(batch: BatchRow | undefined): Detail {
  if (batch === undefined) return missing('Batch');
  const { id, state, type: subtype, confirmed, reason } = batch;
  const isOver = state === 'void' || state === 'cancelled';
  return {
    type: 'Batch',
    subtype,
    status: isOver ? 'Failed' : confirmed === null ? 'Pending' : 'Succeeded',
    ...(confirmed !== null && { timestamp: confirmed }),
    id,
    ...(reason !== null && { error: reason }),
  };
}

function overall(details: readonly Detail[]): TransactionStatus['status'] {
  if (details.some(({ status }) => status === 'Failed')) return 'Failed';
  return details.some(({ status }) => status === 'Pending') ? 'Pending' : 'Succeeded';
}

/** Orders by time, newest first; entries without a time come first (docs/api.md §18.1). */
function newestFirst({ timestamp: a }: Detail, { timestamp: b }: Detail): number {
  if (a === b) return 0;
  if (a === undefined) return -1;
  if (b === undefined) return 1;
  return a < b ? 1 : -1;
}
