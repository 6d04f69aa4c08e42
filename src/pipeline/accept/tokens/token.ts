import type { Metrics } from '../../../ports/metrics.js';
import { createDirectory } from '../identities/directory.js';
import { type AcceptApproval, createAcceptApproval } from './approval.js';
import { createPoolFinder } from './names.js';
import type { TokenAcceptParts } from './operation.js';
import { type AcceptPool, createAcceptPool } from './pool.js';
import { createPoolPublisher, type PoolPublisher } from './publish.js';
import { type AcceptTransfer, createAcceptTransfer } from './transfer.js';
import { createOnce } from '../messages/transaction.js';

export type TokenAcceptanceParts = Omit<TokenAcceptParts, 'directory' | 'pools' | 'once'> & {
  readonly metrics: Metrics;
};

/** Accepts requests about tokens (docs/api.md §19). */
export interface TokenAcceptance extends PoolPublisher {
  readonly acceptPool: AcceptPool;
  readonly acceptTransfer: AcceptTransfer;
  readonly acceptApproval: AcceptApproval;
}

export function createTokenAcceptance(acceptParts: TokenAcceptanceParts): TokenAcceptance {
  const { database } = acceptParts;
  const directory = createDirectory(database);
  const parts = { ...acceptParts, directory, pools: createPoolFinder(database), once: createOnce(database) };
  return {
    acceptPool: createAcceptPool(parts),
    acceptTransfer: createAcceptTransfer(parts),
    acceptApproval: createAcceptApproval(parts),
    ...createPoolPublisher(parts),
  };
}
