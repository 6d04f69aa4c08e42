import { RpcError, rpcCodes } from './rpc-error.js';

/** Calls that are only tried, one after the other. */
export interface Trials {
  /** Rejects with RpcError when too many wait, else as `attempt` does. */
  run<T>(attempt: () => Promise<T>): Promise<T>;
}

const maxWaiting = 1_000;

/**
 * The engine does one thing at a time and keeps every step of it, so that a contract that loops takes seconds until it
 * has no gas left. All such calls at once would keep the chain from everybody until the last one has ended. One at a
 * time they hold each other up, and whatever else is asked of the chain waits for one of them.
 */
export function createTrials(): Trials {
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
