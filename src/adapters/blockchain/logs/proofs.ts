import type { ChainPosition } from '../../../ports/blockchain.js';
import type { Clock } from '../../../ports/clock.js';

/** The position of a transaction on the chain. */
type Place = Pick<ChainPosition, 'block' | 'transactionIndex'>;

/** A log as proof that its transaction was mined and not reverted, since reverted ones have no logs. */
interface Proof {
  readonly transactionHash: string;
  readonly position: Place;
}

/** Lets the reader of the chain resolve waiting calls, which saves a request for each. */
export interface Proofs {
  /** Registers a reader. Returns a function that unregisters it. */
  begin(): () => void;
  /** Records logs that were read. */
  seen(logs: readonly Proof[]): void;
  /** Records that the reader has caught up: calls that still have no proof must query the chain. */
  caughtUp(): void;
  /** The place of a transaction that was not reverted; undefined if the chain must be queried. */
  wait(transactionHash: string): Promise<Place | undefined>;
}

/** A call that has waited this long, or up to twice as long, queries the chain. */
const maxWaitMs = 1_000;

interface Waiter {
  readonly resolve: (place: Place | undefined) => void;
  isOld: boolean;
}

/** Creates the proofs. `ended` ends all waits, so that nothing keeps the process alive. */
export function createProofs(clock: Clock, ended: AbortSignal): Proofs {
  const waiting = new Map<string, Waiter[]>();
  let readers = 0;
  let isWatched = false;

  function settle(transactionHash: string, place: Place | undefined): void {
    const waiters = waiting.get(transactionHash) ?? [];
    waiting.delete(transactionHash);
    for (const { resolve } of waiters) resolve(place);
  }

  function releaseAll(): void {
    for (const transactionHash of [...waiting.keys()]) settle(transactionHash, undefined);
  }

  /** One timer for all waiting calls, and none if no call waits. */
  async function watch(): Promise<void> {
    if (isWatched) return;
    isWatched = true;
    while (waiting.size > 0) {
      await clock.sleep(maxWaitMs, ended);
      if (ended.aborted) releaseAll();
      for (const [transactionHash, waiters] of [...waiting]) {
        if (waiters.some(({ isOld }) => isOld)) settle(transactionHash, undefined);
        for (const waiter of waiters) waiter.isOld = true;
      }
    }
    isWatched = false;
  }

  return {
    begin() {
      readers += 1;
      return () => {
        readers -= 1;
        releaseAll();
      };
    },
    seen(logs) {
      if (waiting.size === 0) return;
      for (const { transactionHash, position } of logs) settle(transactionHash, position);
    },
    caughtUp: releaseAll,
    wait(transactionHash) {
      if (readers === 0) return Promise.resolve(undefined);
      return new Promise((resolve) => {
        const waiters = waiting.get(transactionHash) ?? [];
        waiting.set(transactionHash, [...waiters, { resolve, isOld: false }]);
        void watch();
      });
    },
  };
}
