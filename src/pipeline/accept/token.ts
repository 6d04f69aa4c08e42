import type { Metrics } from '../../ports/metrics.js';
import { createDirectory } from './directory.js';
import { type AcceptApproval, createAcceptApproval } from './token-approval.js';
import { createPoolFinder } from './token-names.js';
import type { TokenAcceptParts } from './token-operation.js';
import { type AcceptPool, createAcceptPool } from './token-pool.js';
import { createPoolPublisher, type PoolPublisher } from './token-publish.js';
import { type AcceptTransfer, createAcceptTransfer } from './token-transfer.js';
import { createOnce } from './transaction.js';

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
