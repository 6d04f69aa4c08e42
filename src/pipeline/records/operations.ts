import type { OperationRow, TransactionRow } from '../../ports/tables.js';
import { textOf } from '../../wire/json.js';
import type { Operation, Transaction } from '../../wire/transaction.js';

/** A transaction as it is served (S §14.1). */
export function transactionRecord(row: TransactionRow): Transaction {
  const { id, namespace, type, created, idempotencyKey, blockchainIds } = row;
  return {
    id,
    namespace,
    type,
    created,
    ...(idempotencyKey !== null && { idempotencyKey }),
    ...(blockchainIds.length > 0 && { blockchainIds: [...blockchainIds] }),
  };
}

/** An operation as it is served (S §14.2). */
export function operationRecord(row: OperationRow, detail: Operation['detail']): Operation {
  const { id, namespace, tx, type, status, plugin, input, output, error, created, updated, retry } = row;
  return {
    id,
    namespace,
    tx,
    type,
    status,
    plugin,
    input: textOf(input),
    ...(output !== null && { output: textOf(output) }),
    ...(error !== null && { error }),
    created,
    updated,
    ...(retry !== null && { retry }),
    ...(detail !== undefined && { detail }),
  };
}
