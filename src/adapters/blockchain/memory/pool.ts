import { ChainError, type Receipt } from '../../../ports/blockchain.js';
import type { Clock } from '../../../ports/clock.js';

/** The same limit as for polling a receipt of a real chain. */
const maxWaitMs = 60_000;

export interface Ahead {
  readonly raw: string;
  readonly from: string;
  readonly nonce: number;
}

/** Signed bytes whose nonces are ahead. They stay even if no caller waits for them, as on every chain. */
export interface MemoryPool {
  /** The bytes that wait for this nonce of a key. */
  at(from: string, nonce: number): string | undefined;
  /** Resolves when the bytes are mined. Rejects with ChainError, `unreachable` on timeout or with the signal. */
  wait(ahead: Ahead, signal: AbortSignal): Promise<Receipt>;
  /** Resolves the waits for mined bytes, and rejects others with the same nonce. */
  settle(mined: Ahead, receipt: Receipt): void;
}

interface Waiting {
  readonly raw: string;
  readonly mined: Promise<Receipt>;
  readonly resolve: (receipt: Receipt) => void;
  readonly reject: (error: ChainError) => void;
}

export function createMemoryPool(clock: Clock): MemoryPool {
  const places = new Map<string, Waiting>();
  return {
    at: (from, nonce) => places.get(placeOf({ from, nonce }))?.raw,

    async wait(ahead, signal) {
      const waiting = places.get(placeOf(ahead)) ?? createWaiting(ahead.raw);
      if (waiting.raw !== ahead.raw) {
        throw new ChainError('unreachable', 'Another transaction with this nonce waits already.');
      }
      places.set(placeOf(ahead), waiting);
      const receipt = await withinTime(waiting.mined, clock, signal);
      if (receipt !== undefined) return receipt;
      throw new ChainError('unreachable', `The chain waits for nonces below ${ahead.nonce} of ${ahead.from}.`);
    },

    settle(mined, receipt) {
      const waiting = places.get(placeOf(mined));
      places.delete(placeOf(mined));
      if (waiting?.raw === mined.raw) waiting.resolve(receipt);
      else waiting?.reject(usedByAnother(mined));
    },
  };
}

/** The error for a nonce that was used already. */
export function usedByAnother({ from, nonce }: Pick<Ahead, 'from' | 'nonce'>): ChainError {
  return new ChainError('refused', `Nonce ${nonce} of ${from} was used by another transaction.`);
}

function createWaiting(raw: string): Waiting {
  let [resolve, reject]: [Waiting['resolve'], Waiting['reject']] = [() => undefined, () => undefined];
  const mined = new Promise<Receipt>((...settlers) => ([resolve, reject] = settlers));
  // There may be no caller left to handle the rejection.
  mined.catch(() => undefined);
  return { raw, mined, resolve, reject };
}

/** Resolves with the result; with undefined on timeout or if the signal aborts first. */
async function withinTime<T>(result: Promise<T>, clock: Clock, signal: AbortSignal): Promise<T | undefined> {
  const timer = new AbortController();
  const end = (): void => timer.abort();
  signal.addEventListener('abort', end);
  try {
    return await Promise.race([result, clock.sleep(maxWaitMs, timer.signal).then(() => undefined)]);
  } finally {
    end();
    signal.removeEventListener('abort', end);
  }
}

function placeOf({ from, nonce }: Pick<Ahead, 'from' | 'nonce'>): string {
  return `${from} ${nonce}`;
}
