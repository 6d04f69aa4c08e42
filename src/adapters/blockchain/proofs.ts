import type { Clock } from '../../ports/clock.js';

/** A log, as far as it proves that its transaction was mined and not reverted: those that are have none. */
interface Proof {
  readonly transactionHash: string;
  readonly position: { readonly block: number };
}

/** What the one who reads the chain can tell those who wait for their calls: it saves a question for each. */
export interface Proofs {
  /** Somebody reads from now on. Returns what says that nobody does any more. */
  begin(): () => void;
  /** These logs were read. */
  seen(logs: readonly Proof[]): void;
  /** All is read that the chain has told of: who has no proof until now is to ask. */
  caughtUp(): void;
  /** The block of a transaction that was not reverted; undefined when it is to be asked for. */
  wait(transactionHash: string): Promise<number | undefined>;
}

/** Who has waited for so long, or up to twice as long, asks. */
const maxWaitMs = 1_000;

interface Waiter {
  readonly resolve: (block: number | undefined) => void;
  isOld: boolean;
}

/** `ended`: nobody waits any more, and nothing may hold the process up. */
export function createProofs(clock: Clock, ended: AbortSignal): Proofs {
  const waiting = new Map<string, Waiter[]>();
  let readers = 0;
  let isWatched = false;

  function settle(transactionHash: string, block: number | undefined): void {
    const waiters = waiting.get(transactionHash) ?? [];
    waiting.delete(transactionHash);
    for (const { resolve } of waiters) resolve(block);
  }

  function releaseAll(): void {
    for (const transactionHash of [...waiting.keys()]) settle(transactionHash, undefined);
  }

  /** One timer for all that wait, and none while nobody does. */
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
      for (const { transactionHash, position } of logs) settle(transactionHash, position.block);
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
