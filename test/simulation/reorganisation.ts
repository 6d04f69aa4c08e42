import type { MemoryLedger } from '../../src/adapters/blockchain/memory/memory.js';
import { decodeTransaction } from '../../src/adapters/blockchain/memory/call.js';
import type { Simulator } from './life.js';

export interface ReorganisationParts {
  readonly simulator: Simulator;
  readonly ledger: MemoryLedger;
  /** A key whose calls are mined again at once, in order, because their results were planned. */
  readonly plannedKey: string;
  /** Called between the old blocks and the new ones. */
  readonly onRewind: () => void;
}

const mostBlocks = 16;

/**
 * Replaces the newest blocks. Registrations stay; of the other calls the chain may mine each key's first few again, in
 * another order than before, and their senders must send the rest.
 */
export function reorganise({ simulator, ledger, plannedKey, onRewind }: ReorganisationParts): void {
  const { scheduler, sometimes } = simulator;
  const { random } = scheduler;
  const kept = Math.max(0, ...ledger.logs().map((log) => (log.type === 'batch_pin' ? 0 : (log.position?.block ?? 0))));
  const most = Math.min(mostBlocks, ledger.head() - kept);
  if (most < 1) return;
  const gone = ledger.rewind(1 + random.integer(most));
  scheduler.note('chain', 'replaces blocks');
  sometimes('blocks replaced');
  onRewind();
  const chain = ledger.connect({ keys: [] });
  const isKept = random.fraction();
  for (const raw of shuffled(gone, plannedKey, simulator)) {
    const isPlanned = decodeTransaction(raw).from === plannedKey;
    if (!isPlanned && random.fraction() >= isKept) continue;
    if (!isPlanned) sometimes('transaction mined again by the chain');
    // A call whose predecessor was left out waits for it, as on every chain.
    chain.submit(raw).catch(() => undefined);
  }
}

/** Returns the planned calls first; the others in any order that keeps the order of each key. */
function shuffled(
  gone: readonly string[],
  plannedKey: string,
  { scheduler: { random } }: Simulator,
): readonly string[] {
  const queues = new Map<string, string[]>();
  for (const raw of gone) {
    const { from } = decodeTransaction(raw);
    queues.set(from, [...(queues.get(from) ?? []), raw]);
  }
  const mixed = [...(queues.get(plannedKey) ?? [])];
  queues.delete(plannedKey);
  for (let left = [...queues.values()]; left.length > 0; left = left.filter(({ length }) => length > 0)) {
    const raw = left[random.integer(left.length)]?.shift();
    if (raw !== undefined) mixed.push(raw);
  }
  return mixed;
}
