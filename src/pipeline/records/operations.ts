import { placeOf } from '../../domain/protocol-id.js';
import type { OperationRow, TransactionRow } from '../../ports/tables/tables.js';
import { chainHash } from '../../wire/chain/chain-hash.js';
import { textOf } from '../../wire/json/json.js';
import type { Operation, Transaction } from '../../wire/chain/transaction.js';

/** The API's record of a transaction (docs/api.md §18.1). */
export function transactionRecord(row: TransactionRow): Transaction {
  const { id, namespace, type, created, idempotencyKey, blockchainIds } = row;
  return {
    id,
    namespace,
    type,
    created,
    ...(idempotencyKey !== null && { idempotencyKey }),
    ...(blockchainIds.length > 0 && { blockchainIds: blockchainIds.map(chainHash) }),
  };
}

/**
 * The output of an operation. Calls of the chain get the receipt fields that FireFly's clients expect: `headers`, the
 * place on the chain as `protocolId`, and numbers as strings.
 */
function outputOf({ namespace, id, status }: OperationRow, output: NonNullable<OperationRow['output']>): object {
  const { transactionHash, blockNumber, transactionIndex, ...rest } = output;
  if (typeof transactionHash !== 'string' || typeof blockNumber !== 'number') return output;
  const type = status === 'Failed' ? 'TransactionFailed' : 'TransactionSuccess';
  return {
    headers: { requestId: `${namespace}:${id}`, type },
    transactionHash: chainHash(transactionHash),
    blockNumber: String(blockNumber),
    ...(typeof transactionIndex === 'number' && {
      transactionIndex: String(transactionIndex),
      protocolId: placeOf({ block: blockNumber, transactionIndex }),
    }),
    ...rest,
  };
}

/** The API's record of an operation (docs/api.md §18.2). */
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
    ...(output !== null && { output: textOf(outputOf(row, output)) }),
    ...(error !== null && { error }),
    created,
    updated,
    ...(retry !== null && { retry }),
    ...(detail !== undefined && { detail }),
  };
}
