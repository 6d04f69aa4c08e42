import { RpcError, rpcCodes } from '../rpc/rpc-error.js';

/** Runs calls that are only dry runs, one after the other. */
export interface DryRuns {
  /** Rejects with RpcError if too many wait, otherwise as `attempt` does. */
  run<T>(attempt: () => Promise<T>): Promise<T>;
}

const maxWaiting = 1_000;

/**
 * Creates the queue of dry runs. The engine does one thing at a time and keeps every step, so a contract that loops
 * takes seconds until its gas runs out. All such calls at once would block the chain until the last one has ended. One
 * at a time they delay each other, and other requests wait for at most one of them.
 */
export function createDryRuns(): DryRuns {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  return {
    async run(attempt) {
      if (waiting >= maxWaiting) throw new RpcError(rpcCodes.limitExceeded, 'Too many calls wait to be tried.');
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
