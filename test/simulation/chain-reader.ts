import type { MemoryLedger } from '../../src/adapters/blockchain/memory/memory.js';
import type { Simulator } from './life.js';
import type { Oracle } from './oracle.js';

/** Passes the chain to the oracle, without faults and before any node reads it. */
export interface ChainReader {
  start(): void;
  /** Begins again with the first block, since the chain has replaced some. */
  restart(): void;
  /** Whether the chain has a message of a party. */
  hasRead(party: string, id: string): boolean;
}

export interface ChainReaderParts {
  readonly simulator: Simulator;
  readonly ledger: MemoryLedger;
  readonly oracle: Oracle;
}

export function createChainReader({ simulator: { scheduler }, ledger, oracle }: ChainReaderParts): ChainReader {
  const known = new Set<string>();
  let reading = new AbortController();

  function start(): void {
    reading = new AbortController();
    const { signal } = reading;
    const ended = ledger.connect({ keys: [] }).watch({
      after: undefined,
      selection: () => ({ revision: 0, sources: [] }),
      handler: async ({ logs }) => {
        for (const log of logs) oracle.take(log);
        for (const { organization, id } of oracle.messages().values()) known.add(`${organization}/${id}`);
        return 'taken';
      },
      signal,
    });
    ended.catch((error: unknown) => {
      if (!signal.aborted) scheduler.fail(new Error('the oracle cannot read the chain', { cause: error }));
    });
  }

  return {
    start,
    restart() {
      reading.abort();
      oracle.restart();
      known.clear();
      start();
    },
    hasRead: (party, id) => known.has(`${party}/${id}`),
  };
}
