import type { NewRow, TransactionType } from '../../../ports/tables/tables.js';

/** Builds the row of a transaction, which groups operations (docs/api.md §18.1). */
export function newTransaction(
  namespace: string,
  {
    id,
    type,
    created,
    idempotencyKey,
  }: {
    readonly id: string;
    readonly type: TransactionType;
    readonly created: string;
    readonly idempotencyKey?: string | undefined;
  },
): NewRow<'transactions'> {
  return { namespace, id, type, created, idempotencyKey: idempotencyKey ?? null, blockchainIds: [] };
}
