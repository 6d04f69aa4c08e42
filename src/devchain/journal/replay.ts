import type { Failpoint } from '../../ports/failpoint.js';
import type { Chain, Genesis } from '../engine/chain.js';
import type { Entry, Journal } from './journal.js';
import { createActionBatch } from './repeat.js';
import { createLedger, type Ledger, type Mining } from './ledger.js';

export interface ReplayOptions {
  readonly journal: Journal;
  readonly newChain: (genesis: Genesis) => Promise<Chain>;
  readonly genesis: Genesis;
  /** The mining mode of a new chain; the journal overrides it. */
  readonly mining: Mining;
  readonly nowMs: () => number;
  readonly failpoint: Failpoint;
  /** Called every five seconds with the completed share of the journal, from 0 to 1, and the newest block so far. */
  readonly onProgress: (share: number, block: number) => void;
}

const progressMs = 5_000;

/**
 * Rebuilds the chain from its journal: repeats every call, in batches, and compares the hash of the last block of each
 * batch. An empty journal gets its first entry.
 *
 * @throws Error if the journal is damaged, belongs to another chain, or gives other blocks; nothing is written then
 */
export async function replay(options: ReplayOptions): Promise<Ledger> {
  const { journal, genesis, mining, nowMs, failpoint, onProgress } = options;
  const chain = await options.newChain(genesis);
  const ledger = createLedger({ chain, mining, nowMs });
  const begin = { format: 1, chainId: genesis.chainId, genesisHash: chain.head().hash } as const;
  let isBegun = false;
  let reportedMs = nowMs();
  const batch = createActionBatch();
  const repeat = () => ledger.repeat(batch.take());
  await journal.read(async (entry, share) => {
    await failpoint.reach('chain.mid-replay');
    if ('begin' in entry) checkBegin(entry.begin, begin);
    else {
      for (const action of entry.turn) {
        batch.add(action);
        if (batch.isFull()) await repeat();
      }
    }
    isBegun = true;
    if (nowMs() - reportedMs < progressMs) return;
    reportedMs = nowMs();
    onProgress(share, chain.head().number);
  }, repeat);
  if (!isBegun) await journal.append({ begin });
  return ledger;
}

type Begin = Extract<Entry, { begin: unknown }>['begin'];

function checkBegin(actual: Begin, expected: Begin): void {
  const isSame =
    actual.format === expected.format &&
    actual.chainId === expected.chainId &&
    actual.genesisHash === expected.genesisHash;
  if (isSame) return;
  throw new Error(
    `The journal belongs to another chain: ${shown(actual)} instead of the configured ${shown(expected)}. ` +
      'Chain ID, genesis time and funded accounts must not change. Nothing was changed.',
  );
}

function shown({ chainId, genesisHash, format }: Begin): string {
  return `chain ${chainId} (genesis ${genesisHash}, format ${format})`;
}
