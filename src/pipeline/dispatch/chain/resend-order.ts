import type { Blockchain, ChainCall } from '../../../ports/blockchain.js';
import type { Database } from '../../../ports/database.js';
import type { OperationRow } from '../../../ports/tables/tables.js';
import { every } from '../../../ports/tables/where.js';
import { fillerOf, type StoredCall } from '../../state/chain/stored-call.js';

export interface ResendOrderParts {
  readonly database: Database;
  readonly blockchain: Pick<Blockchain, 'count' | 'estimate'>;
}

/** Whether a stored call may be sent again now. Rejects with ChainError. */
export type IsTimely = (
  operation: OperationRow,
  work: { readonly call: (operation: OperationRow) => Promise<ChainCall> },
  stored: StoredCall,
) => Promise<boolean>;

export const notYet = 'It was mined before the chain was reorganised, and waits for what was mined before it.';

/**
 * The number of attempts for which a call waits if the contract would refuse it, or if it is behind others that do not
 * advance: some minutes.
 */
const maxRefusals = 40;
/**
 * The same after another call has waited in vain: other parties have had those minutes to send their calls again. An
 * accepted call may be what theirs wait for, and then they need less than a minute to send them.
 */
const refusalsAfterAccepted = 10;
/** The same if no call was accepted since: nothing new can be expected of other parties. */
const fewRefusals = 5;

/**
 * Decides when a call that a reorganisation removed from the chain is sent again: after this node's calls of earlier
 * blocks, and once its contract would accept it, since it may depend on a call that another party has yet to send
 * again. It does not wait forever: the calls after it have higher nonces.
 */
export function createResendOrder({ database, blockchain }: ResendOrderParts): IsTimely {
  const refusals = new Map<string, number>();
  const standstills = new Map<string, { readonly behind: string; readonly count: number }>();
  let limit = maxRefusals;
  const isMined = async ({ signer, nonce }: Pick<OperationRow, 'signer' | 'nonce'>): Promise<boolean> =>
    (await blockchain.count(signer)) > (nonce ?? 0);

  /** Whether an earlier call is not mined. The requirements of several rebuilds may form a cycle. */
  async function isBehind(id: string, after: readonly string[]): Promise<boolean> {
    for (const earlier of await findOpen(database, after)) {
      if (await isMined(earlier)) continue;
      const behind = `${earlier.id} ${await blockchain.count(earlier.signer)}`;
      const before = standstills.get(id);
      const count = before?.behind === behind ? before.count + 1 : 0;
      standstills.set(id, { behind, count });
      return count < maxRefusals;
    }
    return false;
  }

  return async (operation, work, stored) => {
    const { after, nonce } = stored;
    if (after === undefined || fillerOf(stored) !== undefined) return true;
    const { id, signer } = operation;
    if (await isMined({ signer, nonce })) return true;
    if (await isBehind(id, after)) return false;
    const call = await work.call(operation);
    if (call.type !== 'contract') return true;
    const count = refusals.get(id) ?? 0;
    const isTaken = (await blockchain.estimate(signer, call)).status === 'success';
    if (!isTaken && count < limit) {
      refusals.set(id, count + 1);
      return false;
    }
    if (!isTaken) limit = fewRefusals;
    else if (limit === fewRefusals) limit = refusalsAfterAccepted;
    return true;
  };
}

function findOpen(database: Database, ids: readonly string[]): Promise<readonly OperationRow[]> {
  if (ids.length === 0) return Promise.resolve([]);
  return database.rows(
    'operations',
    { namespace: every, id: ids, status: ['Initialized', 'Pending'] },
    { limit: ids.length },
  );
}
