import { type Database, everyNamespace } from '../ports/database.js';
import { among, type Condition, equal } from '../wire/query.js';

const isOpen = among('status', ['Initialized', 'Pending']);
/** Pins change nothing that users' contracts see. */
const isCall: Condition = { is: 'not', of: equal('type', 'blockchain_pin_batch') };

/**
 * Whether calls of a key are on their way, which may change what a contract says. Asked before the contract is: a call
 * that ends between the two is in the newest block, and the estimate knows of it.
 */
export async function hasOpenCalls(
  database: Pick<Database, 'count'>,
  signer: string,
  conditions: readonly Condition[] = [],
): Promise<boolean> {
  const where = [equal('signer', signer), isOpen, isCall, ...conditions];
  return (await database.count('operations', { namespace: everyNamespace, where })) > 0;
}

/** The sentence about a call that its contract refuses; `wordsOf` decodes the contract's own error. */
export function refusalSentence(
  refused: { readonly reason: string; readonly data: string },
  wordsOf: (data: string) => string | undefined,
): string {
  return `The contract refuses the call: ${wordsOf(refused.data) ?? refused.reason}`;
}
