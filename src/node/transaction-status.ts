import { type Database, everyNamespace } from '../ports/database.js';
import type { BatchRow, OperationRow } from '../ports/tables.js';
import { ServiceError } from '../wire/error.js';
import { textOf } from '../wire/json.js';
import { equal, oldestFirst } from '../wire/query.js';
import { uuidPattern } from '../wire/scalar.js';
import type { TransactionStatus } from '../wire/transaction.js';

type Detail = TransactionStatus['details'][number];

/** A private batch has an operation a recipient and blob; beyond this the oldest say enough. */
const maxOperations = 1_000;

/**
 * What has become of a transaction (S §14.1): failed if a part has failed that was not tried again, else pending while
 * any is, else succeeded.
 *
 * @throws ServiceError not_uuid, not_found
 */
export async function transactionStatus(
  database: Database,
  namespace: string,
  given: string,
): Promise<TransactionStatus> {
  const id = given.toLowerCase();
  if (!uuidPattern.test(id)) throw new ServiceError('not_uuid', { field: 'The transaction id', actual: given });
  const one = { sort: oldestFirst, limit: 1 };
  const [transaction] = await database.find('transactions', { namespace, where: [equal('id', id)], ...one });
  if (transaction === undefined) {
    throw new ServiceError('not_found', { what: `transaction ${id} in namespace ${namespace}` });
  }
  const where = [equal('tx', id)];
  const operations = await database.find('operations', {
    namespace: everyNamespace,
    where,
    sort: oldestFirst,
    limit: maxOperations,
  });
  const ofBatch = { namespace, where: [equal('txid', id)], ...one };
  const [batch] = transaction.type === 'batch_pin' ? await database.find('batches', ofBatch) : [];
  const details = [
    ...operations.filter(({ retry }) => retry === null).map(operationDetail),
    ...(transaction.type === 'batch_pin' ? [batchDetail(batch)] : []),
  ];
  return { status: overall(details), details: details.sort(newestFirst) };
}

function operationDetail({ id, type, status, updated, error, output }: OperationRow): Detail {
  return {
    type: 'Operation',
    subtype: type,
    status: status === 'Initialized' ? 'Pending' : status,
    timestamp: updated,
    id,
    ...(error !== null && { error }),
    ...(output !== null && { info: textOf(output) }),
  };
}

function batchDetail(batch: BatchRow | undefined): Detail {
  if (batch === undefined) return { type: 'Batch', status: 'Pending' };
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

/** Those without a time first (S §14.1). */
function newestFirst({ timestamp: a }: Detail, { timestamp: b }: Detail): number {
  if (a === b) return 0;
  if (a === undefined) return -1;
  if (b === undefined) return 1;
  return a < b ? 1 : -1;
}
