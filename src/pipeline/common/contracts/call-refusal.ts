import { type Database, everyNamespace } from '../../../ports/database.js';
import { among, type Condition, equal } from '../../../wire/lists/query.js';

const isOpen = among('status', ['Initialized', 'Pending']);
/** Pins have no effect on users' contracts. */
const isCall: Condition = { is: 'not', of: equal('type', 'blockchain_pin_batch') };

/**
 * Whether calls of a key are in flight that may change a contract's answer. Must be asked before the contract: a call
 * that ends in between is mined and included in the contract's answer.
 */
export async function hasOpenCalls(
  database: Pick<Database, 'count'>,
  signer: string,
  conditions: readonly Condition[] = [],
): Promise<boolean> {
  const where = [equal('signer', signer), isOpen, isCall, ...conditions];
  return (await database.count('operations', { namespace: everyNamespace, where })) > 0;
}

/** The error for a call that its contract refuses; `wordsOf` decodes the contract's own error. */
export function refusalSentence(
  refused: { readonly reason: string; readonly data: string },
  decodeReason: (data: string) => string | undefined,
): string {
  return `The contract refuses the call: ${decodeReason(refused.data) ?? refused.reason}`;
}
