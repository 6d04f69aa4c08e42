import type { Unit } from '../../ports/database.js';
import type { NewRow, OperationRow } from '../../ports/tables/tables.js';

/** Stores a new operation that does what a failed one was to do. */
export async function insertRetry(unit: Unit, failed: OperationRow, id: string, now: string): Promise<void> {
  await unit.update('operations', { sequence: failed.sequence }, { retry: id, updated: now });
  await unit.insert('operations', [toRetry(failed, id, now)]);
}

/** Unsigned, because the nonce of the failed call is used up. */
function toRetry(failed: OperationRow, id: string, now: string): NewRow<'operations'> {
  const { sequence: _, ...row } = failed;
  const unsigned = { nonce: null, raw: null, transactionHash: null };
  const fresh = { status: 'Initialized', output: null, error: null, retry: null, ...unsigned } as const;
  return { ...row, ...fresh, id, created: now, updated: now };
}
