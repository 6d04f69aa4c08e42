import type { Reader } from '../../../ports/database.js';
import { type Columns, every, not } from '../../../ports/tables/where.js';

/**
 * Whether calls of a key are in flight that may change a contract's answer. Must be checked before the contract is
 * queried: a call that ends in between is mined, so the contract's answer includes it.
 */
export function hasOpenCalls(database: Reader, signer: string, others: Columns<'operations'> = {}): Promise<boolean> {
  return database.has('operations', {
    namespace: every,
    signer,
    status: ['Initialized', 'Pending'],
    // Pins have no effect on users' contracts.
    type: not('blockchain_pin_batch'),
    ...others,
  });
}

/** The error for a call that its contract refuses; `wordsOf` decodes the contract's own error. */
export function refusalSentence(
  refused: { readonly reason: string; readonly data: string },
  decodeReason: (data: string) => string | undefined,
): string {
  return `The contract refuses the call: ${decodeReason(refused.data) ?? refused.reason}`;
}
