import { RpcError, rpcCodes } from '../rpc/rpc-error.js';

/** The queue of dry runs, which executes one at a time. */
export interface DryRuns {
  /** Rejects with RpcError if too many wait, otherwise as `attempt` does. */
  run<T>(attempt: () => Promise<T>): Promise<T>;
}

const maxWaiting = 1_000;

/**
 * Creates the queue. The engine does one thing at a time and keeps every step, so a contract that loops takes seconds
 * until its gas runs out. Many such calls at once would block the chain until the last one ends. One at a time they
 * delay each other, and other requests wait for at most one of them.
 */
export function createDryRuns(): DryRuns {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  return {
    async run(attempt) {
      if (waiting >= maxWaiting)
        throw new RpcError(rpcCodes.limitExceeded, 'Too many dry runs are waiting. Try again later.');
      waiting += 1;
      const outcome = last.then(attempt);
      last = outcome.catch(() => undefined);
      try {
        return await outcome;
      } finally {
        waiting -= 1;
      }
    },
  };
}
